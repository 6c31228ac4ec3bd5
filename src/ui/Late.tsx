import { Component, Suspense, type ReactNode } from 'react'
import { Notice } from './Notice.tsx'
import { ReloadButton } from './ReloadButton.tsx'

interface Props {
  children: ReactNode
  /** Shown until the file has come. */
  waiting?: ReactNode
  /** Shown when it does not come; says what became of what the visitor did, and has a way to load the page again. */
  gone?: ReactNode
}

/**
 * A part of the page with a file of its own. Where the file does not come, because the network is away or the site was
 * renewed long ago, loading the page again is offered instead of an empty page.
 */
export class Late extends Component<Props, { broken: boolean }> {
  // no class field: written out for the oldest browsers, one is longer than all of this
  constructor(props: Props) {
    super(props)
    this.state = { broken: false }
  }

  static getDerivedStateFromError(): { broken: boolean } {
    return { broken: true }
  }

  override render(): ReactNode {
    const { children, waiting, gone = <Gone /> } = this.props
    return this.state.broken ? gone : <Suspense fallback={waiting}>{children}</Suspense>
  }
}

function Gone() {
  return (
    <div className="stack">
      <Notice tone="danger" title="This page did not load." live="assertive">
        <p>Nothing is lost. Please check your internet connection and load the page again.</p>
      </Notice>
      <ReloadButton />
    </div>
  )
}
