import { css } from 'styled-components'

/** The buttons of our own panes. */
export const buttons = css`
  button {
    font: inherit;
    min-height: 32px;
    padding: 4px 12px;
    color: var(--card-fg-color);
    background: var(--card-bg-color);
    border: 1px solid var(--card-border-color);
    border-radius: 4px;
    cursor: pointer;
  }
  button[aria-pressed='true'] {
    background: var(--card-fg-color);
    color: var(--card-bg-color);
  }
  button:disabled {
    cursor: default;
    color: var(--card-muted-fg-color);
  }
  button:focus-visible {
    outline: 2px solid #556bfc;
    outline-offset: 1px;
  }
`
