import { styled } from 'styled-components'
import { buttons } from '../structure/buttons.styles.ts'

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
  ${buttons}
`
