import { Suspense, useEffect } from 'react';
import { Navigate, Outlet, Route, Routes } from 'react-router';
import { useAccess } from '../lib/access.ts';
import { AssistantEntrance } from '../features/assistant/index.ts';
import { Ringing } from '../features/conferences/ring/index.ts';
import { system } from '../lib/browser.ts';
import { text } from '../lib/i18n/index.ts';
import { toast } from '../lib/notify.ts';
import { DOCUMENTS, RECORD, RECORDING, SHARED_RECORDING, WATCH } from '../lib/paths.ts';
import { Guard } from './guard/Guard.tsx';
import { FIXED_NUMBER, mayManage, MY_MEETING, useFixedNumberShown, useMenu } from './menu/useMenu.ts';
import { NotAllowedPage } from './NotAllowedPage.tsx';
import {
  AdminHomePage,
  ApiReferencePage,
  ClientDownloadPage,
  ControlPage,
  EditorPage,
  EnterpriseSsoPage,
  FixedNumberPage,
  HandOverPage,
  IconGalleryPage,
  InvitationPage,
  JoinPage,
  LoginPage,
  LogoutPage,
  menuPages,
  MyMeetingPage,
  NotFoundPage,
  RecordingPage,
  RecordPage,
  ScanPage,
  SharedRecordingPage,
  Shell,
  SingleLoginPage,
  SsoPage,
  StatusWallPage,
  UserAccessPage,
  UserInfoPage,
  WatchPage,
} from './pages.ts';

/** All routes of an app: the standalone ones, and inside the layout the common ones and those of the account's menu. */
export function AppRoutes() {
  const { routes, home } = useMenu();
  const mayHaveNumber = useFixedNumberShown();
  return (
    <Guard>
      <Routes>
        <Route path="/login" element={<LoginPage />} />
        <Route path="/singleLogin" element={<SingleLoginPage />} />
        <Route path="/singleLogout" element={<LogoutPage onward />} />
        <Route path="/logout" element={<LogoutPage />} />
        <Route path="/loading" element={<HandOverPage />} />
        <Route path="/join" element={<JoinPage />} />
        <Route path="/404" element={<NotFoundPage />} />
        <Route path="/clientDownload" element={<ClientDownloadPage />} />
        {system !== 'admin' && <Route path="/meetingControl" element={<ControlPage />} />}
        {system !== 'admin' && <Route path="/terminalstatus" element={<StatusWallPage />} />}
        {system !== 'admin' && <Route path={`${SHARED_RECORDING}/:token`} element={<SharedRecordingPage />} />}
        {system !== 'admin' && <Route path={`${WATCH}/:id`} element={<WatchPage />} />}
        {system !== 'admin' && <Route path="/sso" element={<SsoPage />} />}
        {system !== 'admin' && <Route path="/rmeetsso" element={<EnterpriseSsoPage />} />}
        {system === 'user' && <Route path="/scan" element={<ScanPage />} />}
        {system === 'user' && <Route path="/invitation" element={<InvitationPage />} />}
        <Route element={<Allowed />}>
          <Route element={<Shell />}>
            <Route path="/" element={home === null ? <AdminHomePage /> : <Navigate replace to={home} />} />
            {system !== 'admin' && <Route path={MY_MEETING} element={<MyMeetingPage />} />}
            {system !== 'admin' && <Route path={`${RECORD}/:id`} element={<RecordPage />} />}
            {system !== 'admin' && <Route path={`${RECORDING}/:id`} element={<RecordingPage />} />}
            {system !== 'admin' && <Route path={`${DOCUMENTS}/:id`} element={<EditorPage />} />}
            {mayHaveNumber && <Route path={FIXED_NUMBER} element={<FixedNumberPage />} />}
            <Route path="/userInfo" element={<UserInfoPage />} />
            <Route path="/api-reference" element={<ApiReferencePage />} />
            <Route path="/icon" element={<IconGalleryPage />} />
            <Route path="/users/:id/access" element={<UserAccessPage />} />
            {routes.map(({ path, show }) => {
              if ('redirect' in show)
                return <Route key={path} path={path} element={<Navigate replace to={show.redirect} />} />;
              const Page = menuPages[show.page];
              return <Route key={path} path={path} element={<Page />} />;
            })}
          </Route>
          <Route path="*" element={<UnknownAddress />} />
        </Route>
      </Routes>
      <Suspense fallback={null}>
        <Ringing />
      </Suspense>
      <AssistantEntrance />
    </Guard>
  );
}

/** An address without a page, or of a page that the menu does not have, leads to the start page, which says so. */
function UnknownAddress() {
  useEffect(() => {
    toast('warning', () => text('address.unknown'));
  }, []);
  return <Navigate replace to="/" />;
}

/** The manage app is only for accounts that can manage something. */
function Allowed() {
  const access = useAccess();
  return system === 'manage' && access !== null && !mayManage(access) ? <NotAllowedPage /> : <Outlet />;
}
