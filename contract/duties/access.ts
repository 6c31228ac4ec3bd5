/** The duty to say how the service can be used by everybody. */
import { given, met, READ, type Row } from './cell.ts'

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
    US: given('Courts read the ADA to ask for access, not for a page about it.'),
    'US-CA': given('The Unruh Act asks for access, not for a page about it.'),
    'US-NY': given('Human Rights Law asks for access, not for a page about it.'),
    EU: met(EAA, 'Directive (EU) 2019/882, Art. 13(2) and Annex V', { read }),
    DE: met(EAA, 'BFSG § 14 and Anlage 3', { read }),
    FR: met(EAA, 'Code de la consommation, art. L412-13: not of the smallest companies; décret 2023-931', {
      read: READ.frenchCode,
    }),
    IT: met(EAA, 'Decreto legislativo 82/2022, art. 13 and allegato V'),
    ES: met(EAA, 'Ley 11/2023, título I'),
    GB: given('The Equality Act 2010 asks for access, not for a page about it.'),
    CH: given('The BehiG asks shops for no page about it.'),
    CA: given('Only of federally regulated businesses, and in Ontario of larger ones.'),
    AU: given('The Disability Discrimination Act 1992 asks for access, not for a page about it.'),
  },
}
