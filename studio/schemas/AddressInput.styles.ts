import { styled } from 'styled-components'
import { buttons } from '../structure/buttons.styles.ts'

export const Proposal = styled.p`
  margin: 6px 0 0;
  font-size: 13px;
  ${buttons}
`
