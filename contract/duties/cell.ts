/**
 * Duties as data: what the law of a place asks of this shop, from when, where that is written, what the product does
 * for it and which test proves it. No legal advice: `read` says how far each source was read.
 */
import { EEA, FRANCE } from '../countries.ts'

/** The law of a member state applies beside that of the EEA, the law of a state beside that of its federation. */
export const JURISDICTIONS = {
  US: { name: 'United States (federal law)', countries: ['US'] },
  'US-CA': { name: 'California', countries: ['US'] },
  'US-NY': { name: 'New York', countries: ['US'] },
  EU: { name: 'European Union and EEA', countries: EEA },
  DE: { name: 'Germany', countries: ['DE'] },
  FR: { name: 'France', countries: FRANCE },
  IT: { name: 'Italy', countries: ['IT'] },
  ES: { name: 'Spain', countries: ['ES'] },
  GB: { name: 'United Kingdom', countries: ['GB'] },
  CH: { name: 'Switzerland', countries: ['CH'] },
  CA: { name: 'Canada', countries: ['CA'] },
  AU: { name: 'Australia', countries: ['AU'] },
} as const satisfies Record<string, { name: string; countries: readonly string[] }>
export type Jurisdiction = keyof typeof JURISDICTIONS
export const JURISDICTION_IDS = Object.keys(JURISDICTIONS) as Jurisdiction[]

/** A test by its file and a part of its title. */
export interface Proof {
  file: string
  title: string
}

interface Options {
  /** Where the text of the law, or a commentary on it, was read. Left out: written from memory, see `toRead`. */
  read?: string
  /** Of what was not read: where it can be. */
  toRead?: string
  /** In place of the row's: what this place changes in the product, and the test of that. */
  changes?: string
  test?: Proof
  /** Of a reminder that comes again: the months between two. */
  months?: number
  /** A higher price needs the buyer's consent here, or a notice that cannot be given: the price stays as it is. */
  keepsPrice?: true
}

export interface Duty extends Options {
  /** unmet: the product does not do it yet; where it is sold, the launch check fails. */
  state: 'met' | 'unmet'
  /** The day from which it holds, as an ISO date. */
  from: string
  /** The law and its section. */
  source: string
}

export interface NoDuty extends Options {
  state: 'none'
  /** Why there is none. */
  source: string
  /** The product does the same here, by choice. */
  given?: true
}

export type Cell = Duty | NoDuty

/** One duty, place by place. */
export interface Row {
  name: string
  /** What it changes in the product. */
  changes: string
  test: Proof
  cells: Readonly<Record<Jurisdiction, Cell>>
}

export const met = (from: string, source: string, options: Options = {}): Duty => ({
  state: 'met',
  from,
  source,
  ...options,
})
export const unmet = (from: string, source: string, options: Options = {}): Duty => ({
  state: 'unmet',
  from,
  source,
  ...options,
})
export const none = (source: string, options: Options = {}): NoDuty => ({ state: 'none', source, ...options })
/** No duty here, but done by choice. */
export const given = (source: string, options: Options = {}): NoDuty => ({
  state: 'none',
  source,
  given: true,
  ...options,
})

/** Directive 2011/83/EU applies from this day; so do the laws that transpose it. */
export const CRD = '2014-06-13'
/** Part 4, chapter 2 of the Digital Markets, Competition and Consumers Act 2024: spring 2027, the day is not fixed. */
export const DMCC = '2027-04-01'
/** Where the sources of several rows were read. */
export const READ = {
  california:
    'Code in an earlier version at leginfo.legislature.ca.gov; AB 2863 in excerpts at awglaw.com, lexblog.com',
  newYork: 'the section at newyork.public.law',
  withdrawalFunction: 'excerpts at mondaq.com (1799028), be.andersen.com and ecija.com',
  germanButtons: '§ 312k quoted at schutzverband.org; excerpts at mofo.com and twobirds.com',
  germanCode: 'the BGB as of March 2022, at github.com/bundestag/gesetze',
  frenchCode: 'the code as of 3 April 2026, at github.com/legalize-dev/legalize-fr',
  spanishLaw: 'the article as of 2026, at github.com/legalize-dev/legalize-es',
  spanishLawBefore: 'the article in a version before 2022, at github.com/legalize-dev/legalize-es',
  italianButton: 'the article at doctrine.it and ius.lefebvregiuffre.it',
  british: 'the regulation at github.com/legalize-dev/legalize-uk',
  dmcc:
    'ss. 257 to 266 as enacted, at github.com/legalize-dev/legalize-uk; the day at slaughterandmay.com, ' +
    'whitecase.com',
  swissPrices: 'the PBV as of January 2019, at github.com/legalize-dev/legalize-ch',
  rosca:
    'the section as of March 2026, at github.com/legalize-dev/legalize-us; on the FTC’s rule sidley.com, February 2026',
  sofatutor: 'the judgment in excerpts at app.livv.eu, mondaq.com and recent-ecl.blogspot.com',
  ontario: 'excerpts at mondaq.com (32618), mannlawyers.com, robhyndman.com and bennettjones.com',
  // of rows about reminders and leaving, where the law of a place holds nothing
  swissRenewals: 'on the reminder that parliament rejected in September 2020 srf.ch and cash.ch',
  canadianRenewals:
    'on British Columbia dlapiper.com and langleychamber.com; on Ontario theinterrobang.ca and isthatlegal.ca',
  germanTerms: 'on § 309 no. 9 haufe.de and lieb-online.com',
  doorSalesCalifornia: 'the legal guide K-9 at dca.ca.gov',
  doorSalesNewYork: '§ 427 at lawserver.com',
  ontarioServices: 'excerpts at legalline.ca, ficdn.ca and isthatlegal.ca',
  australianBill: 'Bills Digest 58, 2025–26, at aph.gov.au; excerpts at pulse.mallesons.com and gtlaw.com.au',
} as const
/** Where to read what could not be. */
export const AT = {
  directive: 'the directive at eur-lex.europa.eu (02011L0083)',
  german: 'the law at gesetze-im-internet.de',
  italian: 'the law at normattiva.it',
  spanish: 'the law at boe.es',
  british: 'the law at legislation.gov.uk',
  swiss: 'the law at fedlex.admin.ch',
  canadian: 'the law at laws-lois.justice.gc.ca, and each province’s',
  australian: 'the law at legislation.gov.au',
  californian: 'the code at leginfo.legislature.ca.gov',
  newYork: 'the laws at nysenate.gov/legislation/laws',
  federal: 'the code at uscode.house.gov and ecfr.gov',
} as const
