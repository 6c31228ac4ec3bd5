import { useEffect, useState } from 'react'
import type { LayoutProps } from 'sanity'
import { RefusalNotice } from '../releases/RefusalNotice.tsx'
import { Pane } from './LaunchCheck.styles.ts'
import { Problems } from './Problems.tsx'
import { Notice } from './SiteStatus.styles.ts'
import {
  isBuilding,
  lateSince,
  newsOf,
  useProblemDocuments,
  useSiteStatus,
  type SiteStatus as Status,
} from './site-status.ts'

const NEWS_MS = 8_000

/** What became of the last publish: on the site, or kept back and why. */
export function SiteStatus() {
  const status = useSiteStatus()
  const documents = useProblemDocuments(status)
  if (status === undefined) return <Pane role="status">Reading…</Pane>
  if (status === null) return <Pane role="status">Nothing was published since this desk exists.</Pane>
  const when = new Date(status.at).toLocaleString()
  const late = lateSince(status)
  if (late !== undefined) {
    return (
      <Pane role="alert">
        <h2>Not on the site yet</h2>
        <p>{lateWords(late)}</p>
      </Pane>
    )
  }
  if (isBuilding(status)) {
    return (
      <Pane role="status">
        <h2>The site is being built</h2>
        <p>What was published is on the site in a few seconds, or kept back with its reasons here.</p>
      </Pane>
    )
  }
  if (status.pin && status.state === 'live') {
    return (
      <Pane role="status">
        <h2>The site is held at an earlier state</h2>
        <p>{heldWords(status.pin)} What is published now is checked and waits.</p>
      </Pane>
    )
  }
  if (status.state === 'live') {
    return (
      <Pane role="status">
        <h2>The site shows everything that is published</h2>
        <p>
          Since {when}; it took {(status.milliseconds / 1000).toFixed(1)} seconds.
        </p>
      </Pane>
    )
  }
  return (
    <Pane role="alert">
      <h2>The last publish is not on the site</h2>
      <p>
        Visitors see the last good state. {nextWords(status)} ({when}):
      </p>
      <Problems problems={status.problems} documents={documents} />
    </Pane>
  )
}

function heldWords({ built, since, by }: NonNullable<Status['pin']>): string {
  const what = built ? `what was published by ${new Date(built).toLocaleString()}` : 'an earlier state'
  return `Visitors see ${what}: held since ${new Date(since).toLocaleString()} by ${by}.`
}

function lateWords(since: string): string {
  return (
    `What was published since ${new Date(since).toLocaleString()} waits: the program that brings it to the site does ` +
    'not run, or cannot reach the content. It goes there by itself once it does. If this stays, tell who runs the site.'
  )
}

/** A problem without a document is the builder's, not an editor's. */
const nextWords = ({ problems }: Status): string =>
  problems.some(({ documentId }) => documentId !== '')
    ? 'Publish again when this is put right'
    : 'The build is tried again by itself; if this stays, tell who runs the site'

/** Tells an editor, wherever they are in the Studio, when a publish did not reach the site, and when one did. */
export function SiteNotice(props: LayoutProps) {
  const status = useSiteStatus()
  const documents = useProblemDocuments(status)
  // what was so when the Studio was opened is not news, unless it is a fault; nor is the first report of a new dataset
  const [before, setBefore] = useState<string | null>()
  const [closed, setClosed] = useState<string | null>()
  const late = status ? lateSince(status) : undefined
  const building = status && late === undefined ? isBuilding(status) : false
  const news = status ? newsOf(status) : null
  if (status && before === undefined) setBefore(news)
  const isTrouble = late !== undefined || status?.state === 'broken'
  const isNews = !building && news !== null && news !== closed && (isTrouble || news !== before)

  useEffect(() => {
    if (!isNews || isTrouble) return
    const timer = setTimeout(() => setClosed(news), NEWS_MS)
    return () => clearTimeout(timer)
  }, [isNews, isTrouble, news])

  return (
    <>
      {props.renderDefault(props)}
      <RefusalNotice />
      {building && <Notice role="status">Published: the site is being built.</Notice>}
      {isNews && status && !isTrouble && (
        <Notice role="status">
          {status.pin
            ? `The site is held by ${status.pin.by}: what is published waits.`
            : 'Published: the site shows it now.'}
        </Notice>
      )}
      {isNews && status && isTrouble && (
        <Notice role="alert" data-broken>
          <b>{late === undefined ? 'Not on the site: visitors see its last good state.' : 'Not on the site yet.'}</b>
          {late === undefined ? (
            <Problems problems={status.problems.slice(0, 3)} documents={documents} />
          ) : (
            <p>{lateWords(late)}</p>
          )}
          {late === undefined && status.problems.length > 3 && (
            <p>And {status.problems.length - 3} more, in “Site status”.</p>
          )}
          <button type="button" onClick={() => setClosed(news)}>
            Close
          </button>
        </Notice>
      )}
    </>
  )
}
