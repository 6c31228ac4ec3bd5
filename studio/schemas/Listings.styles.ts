import { styled } from 'styled-components'

/** Colours come from the Studio's own card, so that dark mode works. */
export const Listed = styled.div`
  margin-bottom: 32px;
  padding: 12px 16px;
  border: 1px solid var(--card-border-color);
  border-radius: 3px;
  font-size: 13px;
  line-height: 1.5;

  &:has([data-nowhere]) {
    border-color: #b58105;
  }
  p,
  ul {
    margin: 0;
    padding: 0;
  }
  ul {
    list-style: none;
  }
  a {
    color: var(--card-link-color);
  }
`
