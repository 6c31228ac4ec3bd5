import { styled } from 'styled-components'

/** The list under a text. Colours come from the Studio's own card, so that dark mode works. */
export const Frame = styled.div`
  min-width: 0;
  details {
    margin-top: 6px;
    font-size: 13px;
  }
  summary {
    cursor: pointer;
    color: var(--card-muted-fg-color);
    padding: 4px 0;
    width: fit-content;
  }
  ul {
    list-style: none;
    margin: 4px 0 0;
    padding: 8px;
    border: 1px solid var(--card-border-color);
    border-radius: 3px;
    max-height: 240px;
    overflow: auto;
  }
  li {
    display: flex;
    gap: 10px;
    align-items: baseline;
    padding: 2px 0;
  }
  li span {
    color: var(--card-muted-fg-color);
  }
  li button {
    font: 13px monospace;
    color: var(--card-link-color);
    background: var(--card-code-bg-color);
    border: 0;
    border-radius: 3px;
    padding: 4px 6px;
    min-height: 26px;
    cursor: pointer;
  }
  > p {
    margin: 6px 0 0;
    font-size: 13px;
    color: var(--card-badge-critical-fg-color, #b42318);
  }
`
