/** The duty to say how the service can be used by everybody. */
import { AT, given, met, READ, type Row } from './cell.ts'

const EAA = '2025-06-28'
const read = 'excerpts at sorena.io and barrierefix.de'

export const accessibilityInformation: Row = {
  name: 'Information on accessibility',
  changes:
    'The page /legal/accessibility says how the service can be used and where to complain; in the foot of pages.',
  test: {
    file: 'tests/site/accessibility-page.test.ts',
    title: 'every page with a footer leads to the page about accessibility',
  },
  cells: {
    US: given('Courts read the ADA to ask for access, not for a page about it.', { toRead: 'the guidance at ada.gov' }),
    'US-CA': given('The Unruh Act asks for access, not for a page about it.', { toRead: AT.californian }),
    'US-NY': given('Human Rights Law asks for access, not for a page about it.', { toRead: AT.newYork }),
    EU: met(EAA, 'Directive (EU) 2019/882, Art. 13(2) and Annex V', { read }),
    DE: met(EAA, 'BFSG § 14 and Anlage 3', { read }),
    FR: met(EAA, 'Code de la consommation, art. L412-13: not of the smallest companies; décret 2023-931', {
      read: READ.frenchCode,
    }),
    IT: met(EAA, 'Decreto legislativo 82/2022, art. 13 and allegato V', { toRead: AT.italian }),
    ES: met(EAA, 'Ley 11/2023, título I', { read: 'on the title and its day miguelortego.com and pwc.es' }),
    GB: given('The Equality Act 2010 asks for access, not for a page about it.', { toRead: AT.british }),
    CH: given('BehiG Art. 6: who offers services must not discriminate; no page is asked for.', {
      read: 'the BehiG as of July 2020, at github.com/legalize-dev/legalize-ch',
    }),
    CA: given('Only of federally regulated businesses, and in Ontario from 50 workers on.', {
      read: 'mondaq.com (1290972) on the federation, (1093808) on Ontario',
    }),
    AU: given('The Disability Discrimination Act 1992 asks for access, not for a page about it.', {
      toRead: AT.australian,
    }),
  },
}
