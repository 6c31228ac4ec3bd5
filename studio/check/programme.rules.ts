import type { AddOnId } from '../../contract/catalogue.ts'
import { at, isObject, objects, publishedId, words } from './finding.ts'
import type { Document, Report } from './finding.ts'

/** What the paid content, and a recording, has to hold by itself (K-05). */

/** Paid content: an id with a dot is readable with a token only. */
export const PROGRAMME_PREFIX = 'programme.'
/** The ids of its documents, behind the prefix. */
export const sessionPlace = (day: number): string => `session-${String(day).padStart(2, '0')}`
export const guidePlace = (id: AddOnId): string => id.replace('_', '-')

export function checkProgrammeId(document: Document, report: Report): void {
  if (!publishedId(document).startsWith(PROGRAMME_PREFIX)) {
    report(
      [],
      'public_programme',
      'This document could be read by anyone who has not paid. Use the places in the list “Programme”, whose ' +
        'ids are protected.',
    )
  }
}

/** What src/members/Guide.tsx shows. */
const IN_GUIDES: readonly unknown[] = ['block', 'pullQuote']

export function checkGuide(document: Document, report: Report): void {
  checkProgrammeId(document, report)
  objects(document['body']).forEach((block, index) => {
    if (IN_GUIDES.includes(block['_type'])) return
    const message = 'A guide shows text and pull quotes only: nobody would see this. Remove it.'
    report(['body', at(block, index)], 'not_shown', message)
  })
}

const NO_RECORDING =
  'Without a recording members can read this session but not listen to it: it never counts as listened, and the next ' +
  'day opens without it.'

const NO_MP3 =
  'A recording has to be an MP3: the length of another kind is not known, so that listening to it would not count, ' +
  'and not every browser plays it. Choose an MP3.'

export function checkRecording(document: Document, report: Report): void {
  const { audio } = document
  const asset = isObject(audio) ? audio['asset'] : undefined
  // an id ends with the ending of the file
  const file = isObject(asset) ? words(asset['_ref']) : ''
  if (file !== '' && !/-mp3$/i.test(file)) report(['audio'], 'no_mp3', NO_MP3)
}

export function checkSession(document: Document, report: Report): void {
  checkProgrammeId(document, report)
  checkRecording(document, report)
  if (!isObject(document['audio'])) report(['audio'], 'no_recording', NO_RECORDING, 'note')
  const steps = objects(document['steps'])
  const seconds = steps.reduce((sum, step) => sum + (typeof step['seconds'] === 'number' ? step['seconds'] : 0), 0)
  const minutes = document['minutes']
  if (typeof minutes === 'number' && Math.abs(seconds - minutes * 60) > 60) {
    report(
      ['minutes'],
      'session_length',
      `The steps take ${Math.round(seconds / 6) / 10} minutes, but the session says ${minutes}.`,
    )
  }
  steps.forEach((step, index) => {
    if (words(step['text']) === '')
      report(['steps', at(step, index), 'text'], 'empty', 'A step needs words: not everyone can see the animation.')
  })
}
