import type { ReactNode } from 'react';
import { Navigate, Route, Routes } from 'react-router';
import { SignedIn, SignedOut } from './guard.tsx';
import { JoinPage, LoginPage, MyMeetingPage, NotFoundPage, Shell } from './pages.ts';

/** The routes every app has, around the ones inside its layout (`inside`). Unknown paths lead to `/`. */
function appRoutes(inside: ReactNode) {
  return (
    <Routes>
      <Route element={<SignedOut />}>
        <Route path="/login" element={<LoginPage />} />
      </Route>
      <Route path="/join" element={<JoinPage />} />
      <Route path="/404" element={<NotFoundPage />} />
      <Route element={<SignedIn />}>
        <Route element={<Shell />}>{inside}</Route>
      </Route>
      <Route path="*" element={<Navigate replace to="/" />} />
    </Routes>
  );
}

/** The user app and the manage app: the same screens, one's own data or the tenant's. */
export function meetingRoutes() {
  return appRoutes(
    <>
      <Route path="/" element={<Navigate replace to="/myMeeting" />} />
      <Route path="/myMeeting" element={<MyMeetingPage />} />
    </>,
  );
}

export function adminRoutes(home: ReactNode) {
  return appRoutes(<Route path="/" element={home} />);
}
