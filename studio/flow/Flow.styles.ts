import { styled } from 'styled-components'
import { buttons } from '../structure/buttons.styles.ts'

export const Page = styled.div`
  display: flex;
  flex-direction: column;
  height: 100%;
  font-size: 13px;
  line-height: 20px;

  > header {
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 16px;
    padding: 8px 20px;
    border-bottom: 1px solid var(--card-border-color);
    ${buttons}
  }
  header p {
    margin: 0;
    color: var(--card-muted-fg-color);
  }
  a {
    color: var(--card-fg-color);
    font-weight: 600;
  }
  b {
    font-weight: 600;
  }
  .problem {
    color: #b42318;
    font-weight: 600;
  }
`

export const Canvas = styled.div`
  flex: 1;
  min-height: 0;

  .react-flow {
    --xy-background-color: var(--card-bg-color);
    --xy-edge-stroke: #6b7280;
    --xy-edge-label-background-color: var(--card-bg-color);
    --xy-edge-label-color: var(--card-fg-color);
    --xy-controls-button-background-color: var(--card-bg-color);
    --xy-controls-button-color: var(--card-fg-color);
    --xy-controls-button-border-color: var(--card-border-color);
  }
  .react-flow__handle {
    opacity: 0;
  }
`

export const Box = styled.div`
  box-sizing: border-box;
  height: 100%;
  padding: 10px 12px;
  overflow: hidden;
  border: 1px solid var(--card-border-color);
  border-radius: 6px;
  background: var(--card-bg-color);
  color: var(--card-muted-fg-color);

  &[data-broken] {
    border: 2px solid #b42318;
  }
  &[data-sometimes] {
    border-style: dashed;
  }
  p {
    margin: 0;
  }
  a:focus-visible {
    outline: 2px solid currentColor;
    outline-offset: 2px;
  }
`

export const List = styled.ol`
  margin: 0;
  padding: 12px 20px 20px 20px;
  overflow: auto;
  list-style: none;

  li {
    padding: 8px 0;
    border-top: 1px solid var(--card-border-color);
  }
  p {
    margin: 0;
    color: var(--card-muted-fg-color);
  }
  a {
    display: inline-block;
    padding: 2px 0;
  }
`
