import { styled } from 'styled-components'

export const Page = styled.div`
  padding: 20px;
  overflow: auto;
  height: 100%;
  box-sizing: border-box;
  font-size: 13px;
  line-height: 1.45;

  form {
    display: flex;
    flex-wrap: wrap;
    gap: 8px 12px;
    margin-bottom: 12px;
  }
  label {
    display: grid;
    gap: 2px;
    color: var(--card-muted-fg-color);
  }
  input,
  select {
    font: inherit;
    padding: 6px;
    color: var(--card-fg-color);
    background: var(--card-bg-color);
    border: 1px solid var(--card-border-color);
    border-radius: 3px;
    max-width: 16rem;
  }
  p {
    margin: 0 0 12px;
    color: var(--card-muted-fg-color);
  }
  a {
    color: var(--card-link-color);
  }
  h2 {
    font-size: 15px;
    margin: 0 0 8px;
  }
  dt {
    font-weight: 600;
  }
  dd {
    margin: 0 0 8px;
  }
  summary {
    cursor: pointer;
  }
  li span {
    white-space: nowrap;
  }
`

/** Wider than a narrow pane: it scrolls by itself. */
export const Scroll = styled.div`
  overflow-x: auto;
  margin-bottom: 16px;

  table {
    border-collapse: collapse;
    width: 100%;
    min-width: 44rem;
    font-variant-numeric: tabular-nums;
  }
  th {
    text-align: left;
    font-weight: 600;
  }
  th,
  td {
    padding: 6px 10px 6px 0;
    border-top: 1px solid var(--card-border-color);
    vertical-align: top;
  }
  th[scope='row'] {
    font-weight: 400;
    min-width: 14rem;
  }
  th a,
  summary {
    display: inline-block;
    padding: 3px 0;
  }
  td {
    white-space: nowrap;
  }
  td:last-child {
    white-space: normal;
    min-width: 12rem;
  }
  ul {
    margin: 4px 0 0;
    padding-left: 18px;
  }
  [data-verdict='higher'] {
    color: #0b6e4f;
    font-weight: 600;
  }
  [data-verdict='lower'] {
    color: #b42318;
    font-weight: 600;
  }
`
