import { styled } from 'styled-components'

/** A note above everything, at the lower edge, where the Studio has no button. */
export const Notice = styled.div`
  position: fixed;
  left: 50%;
  bottom: 16px;
  transform: translateX(-50%);
  z-index: 10000;
  width: max-content;
  max-width: min(560px, calc(100vw - 32px));
  max-height: 50vh;
  overflow: auto;
  box-sizing: border-box;
  padding: 12px 16px;
  border-radius: 6px;
  background: #0b6e4f;
  color: #fff;
  font-size: 14px;
  line-height: 1.45;
  box-shadow: 0 8px 32px rgb(0 0 0 / 30%);

  &[data-broken] {
    background: #fff5f4;
    color: #4a1410;
    border: 2px solid #b42318;
  }
  b {
    font-weight: 700;
  }
  ul {
    list-style: none;
    margin: 8px 0;
    padding: 0;
  }
  a {
    color: #8f1d14;
    font-weight: 600;
  }
  p {
    margin: 2px 0 8px;
  }
  button {
    font: inherit;
    padding: 6px 12px;
    border: 1px solid #b42318;
    border-radius: 4px;
    background: #fff;
    color: inherit;
    cursor: pointer;
  }
`
