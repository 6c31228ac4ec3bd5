/**
 * Leaving without a login (H-02, H-04): what the page /exit offers, and the words that a country asks for. Pure data,
 * read by the page, the service and the mails.
 */
import { FRANCE } from './countries.ts'

/** end: no further charge; withdraw: from the contract, within the days of the right, which gives the money back. */
export const EXIT_KINDS = ['end', 'withdraw'] as const
export type ExitKind = (typeof EXIT_KINDS)[number]

export const EXIT_CONTRACTS = ['subscription', 'guides', 'everything'] as const
export type ExitContract = (typeof EXIT_CONTRACTS)[number]

export const CONTRACT_WORDS: Record<ExitContract, string> = {
  subscription: 'The subscription',
  guides: 'The guides',
  everything: 'Everything I bought',
}

/** A withdrawal is carried out this long after it was received: time in which the buyer can take a stranger's back. */
export const WITHDRAWAL_WAIT_HOURS = 24

/** A payment that was under way when a statement was received may succeed for so long, and is meant by it. */
export const UNDER_WAY_MINUTES = 15

export const EXIT_NAME_MAX = 200
export const EXIT_REASON_MAX = 2_000

/** The two labels of one statement: of the way to it, and of the button that sends it. */
interface Labels {
  open: string
  confirm: string
}

export interface ExitWords {
  /** Language of the labels. */
  lang: string
  end: Labels
  withdraw: Labels
}

const ENGLISH: ExitWords = {
  lang: 'en',
  end: { open: 'Cancel the subscription here', confirm: 'Cancel now' },
  // Directive 2011/83/EU, Article 11a: these words, or others as plain
  withdraw: { open: 'Withdraw from contract here', confirm: 'Confirm withdrawal' },
}

const GERMAN: ExitWords = {
  lang: 'de',
  // BGB § 312k: these words, or others as plain
  end: { open: 'Verträge hier kündigen', confirm: 'Jetzt kündigen' },
  // BGB § 356a: these words, or others as plain
  withdraw: { open: 'Vertrag widerrufen', confirm: 'Widerruf bestätigen' },
}

const FRENCH: ExitWords = {
  lang: 'fr',
  // Code de la consommation, art. D215-1 and D215-3: these words, or others as plain
  end: { open: 'Résilier votre contrat', confirm: 'Notification de la résiliation' },
  // Code de la consommation, art. D221-5: these words, or others as plain
  withdraw: { open: 'Renoncer au contrat ici', confirm: 'Confirmer la rétractation' },
}

/** By ISO 3166 country; every other country reads English. */
const BY_COUNTRY: Readonly<Record<string, ExitWords>> = {
  DE: GERMAN,
  AT: GERMAN,
  ...Object.fromEntries(FRANCE.map((code) => [code, FRENCH])),
}

/** The labels for a visitor from this country; null: unknown. */
export function exitWords(country: string | null): ExitWords {
  return BY_COUNTRY[country ?? ''] ?? ENGLISH
}
