import { styled } from 'styled-components'

export const Pane = styled.div`
  padding: 20px;
  overflow: auto;
  height: 100%;
  box-sizing: border-box;
  font-size: 14px;
  line-height: 1.5;

  h2 {
    font-size: 15px;
    margin: 0 0 8px;
  }
  ul {
    list-style: none;
    margin: 0 0 24px;
    padding: 0;
  }
  li {
    padding: 8px 0;
    border-top: 1px solid var(--card-border-color);
  }
  a {
    color: var(--card-link-color);
  }
  ul.brief {
    columns: 16rem;
  }
  ul.brief li {
    border: 0;
    padding: 2px 0;
  }
  p {
    margin: 2px 0 0;
    color: var(--card-muted-fg-color);
  }
`
