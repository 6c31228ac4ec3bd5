import { lazy, useEffect } from 'react'
import { trackPageView } from '../tracking/tracking.ts'
import { Late } from '../ui/Late.tsx'
import type { MembersSettings } from './client.ts'
import { Home } from './Home.tsx'
import { Invoice, Invoices } from './Invoices.tsx'
import { MoneyBack } from './MoneyBack.tsx'
import { ForgotPassword, ResetPassword, SignInLink } from './Passwords.tsx'
import { Loading } from './parts.tsx'
import { Subscription } from './Subscription.tsx'
import { usePath } from './usePath.ts'

const Day = lazy(() => import('./Day.tsx'))
const Guide = lazy(() => import('./Guide.tsx'))

/**
 * everything under /app/, one shell that chooses its screen by the path: links are real links, Back goes back,
 * and a reload keeps the screen.
 */
export function MembersApp({ settings }: { settings: MembersSettings }) {
  const path = usePath()
  useEffect(() => trackPageView('app'), [])
  if (!path) return <Loading />
  const parts = path
    .replace(/^\/app\/?/, '')
    .split('/')
    .filter(Boolean)
  return (
    <Late key={path} waiting={<Loading />}>
      <Screen path={parts} settings={settings} />
    </Late>
  )
}

function Screen({ path: [screen = '', detail = ''], settings }: { path: string[]; settings: MembersSettings }) {
  switch (screen) {
    case 'forgot-password':
      return <ForgotPassword />
    case 'reset-password':
      return <ResetPassword />
    case 'sign-in-link':
      return <SignInLink />
    case 'day':
      return <Day day={detail} />
    case 'guide':
      return <Guide productId={detail} />
    case 'subscription':
      return <Subscription settings={settings} />
    case 'invoices':
      return detail ? <Invoice id={detail} settings={settings} /> : <Invoices />
    case 'money-back':
      return <MoneyBack settings={settings} />
    default:
      return <Home settings={settings} />
  }
}
