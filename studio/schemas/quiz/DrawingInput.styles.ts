import { styled } from 'styled-components'

/** A drawing on the white that it is drawn for: its ink would not be seen on a dark Studio. */
export const Thumbnail = styled.span`
  display: grid;
  place-items: center;
  width: 100%;
  height: 100%;
  box-sizing: border-box;
  padding: 10%;
  border-radius: 3px;
  background: #fff;

  svg {
    width: 100%;
    height: 100%;
  }
`

export const Thumbnails = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fill, minmax(92px, 1fr));
  gap: 4px;

  label {
    position: relative;
    display: grid;
    grid-template-rows: 56px auto;
    justify-items: center;
    align-content: start;
    gap: 4px;
    padding: 6px 4px;
    border: 2px solid transparent;
    border-radius: 4px;
    font-size: 12px;
    line-height: 1.2;
    text-align: center;
    cursor: pointer;
  }
  label:hover {
    border-color: var(--card-border-color);
  }
  label:has(:checked) {
    border-color: #556bfc;
  }
  label:has(:focus-visible) {
    outline: 2px solid #556bfc;
    outline-offset: 1px;
  }
  label:has(:disabled) {
    cursor: default;
  }
  input {
    position: absolute;
    inset: 0;
    margin: 0;
    opacity: 0;
    cursor: inherit;
  }
  span {
    width: 56px;
  }
`
