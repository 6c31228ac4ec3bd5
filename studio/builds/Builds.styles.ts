import { styled } from 'styled-components'

export const Trouble = styled.p`
  margin-bottom: 12px !important;
  padding: 8px 12px;
  border: 2px solid #b42318;
  border-radius: 4px;
  color: #4a1410 !important;
  background: #fff5f4;
`

export const List = styled.ul`
  margin-top: 16px !important;

  li {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 16px;
    align-items: flex-start;
  }
  li > div:first-child {
    flex: 1 1 18rem;
  }
  b,
  [data-state] {
    font-weight: 600;
  }
  [data-state='live'] {
    color: #0b6e4f;
  }
  [data-state='broken'],
  [data-state='gone'] {
    color: #b42318;
  }
`

export const Buttons = styled.div`
  display: flex;
  flex-wrap: wrap;
  gap: 8px;

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
  button:disabled {
    cursor: default;
    color: var(--card-muted-fg-color);
  }
  button:focus-visible {
    outline: 2px solid #556bfc;
    outline-offset: 1px;
  }
`
