import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router';
import { session, system } from '../lib/browser.ts';
import { loginPath, ownPath } from '../lib/paths.ts';
import { NotAllowedPage } from './NotAllowedPage.tsx';

/** Lets signed-in people through, everybody else to the login page and back. */
export function SignedIn() {
  const { pathname, search } = useLocation();
  const { user } = session;
  if (session.token === null || user === null) return <Navigate replace to={loginPath(pathname + search)} />;
  if (system === 'manage' && !user.isTenantAdmin) return <NotAllowedPage />;
  return <Outlet />;
}

/** The login page is for those who are not signed in. */
export function SignedOut() {
  const [params] = useSearchParams();
  if (session.token !== null) return <Navigate replace to={ownPath(params.get('redirect'))} />;
  return <Outlet />;
}
