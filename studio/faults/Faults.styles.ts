import { styled } from 'styled-components'

export const List = styled.div`
  flex: 1;
  min-height: 0;
  overflow: auto;
  padding: 8px 16px 24px;
  overflow-wrap: anywhere;
  font-size: 13px;
  line-height: 1.45;

  h3,
  summary {
    font-size: 13px;
    font-weight: 600;
    margin: 12px 0 4px;
  }
  summary {
    cursor: pointer;
  }
  ul {
    list-style: none;
    margin: 0;
    padding: 0;
  }
  li {
    border-top: 1px solid var(--card-border-color);
  }
  button {
    display: block;
    width: 100%;
    padding: 8px 4px;
    border: 0;
    background: none;
    color: inherit;
    font: inherit;
    text-align: start;
    cursor: pointer;
  }
  button:hover {
    background: var(--card-border-color);
  }
  button:focus-visible,
  summary:focus-visible {
    outline: 2px solid #556bfc;
    outline-offset: -2px;
  }
  b {
    display: block;
    font-weight: 600;
  }
  li[data-level='error'] b {
    color: #b42318;
  }
  @media (prefers-color-scheme: dark) {
    li[data-level='error'] b {
      color: var(--card-fg-color);
    }
  }
`

/** What is wrong with a field, under it. */
export const Beside = styled.ul`
  list-style: none;
  margin: 6px 0 0;
  padding: 0;
  overflow-wrap: anywhere;
  font-size: 13px;
  line-height: 1.4;
  color: var(--card-muted-fg-color);

  li[data-level='error'] {
    color: #b42318;
    font-weight: 500;
  }
`
