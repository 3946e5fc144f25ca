import { lazy } from 'react';

/** The pages of all apps; each is fetched when it is first shown. */
export const LoginPage = lazy(async () => ({ default: (await import('../features/auth/index.ts')).LoginPage }));
export const JoinPage = lazy(async () => ({ default: (await import('../features/conferences/index.ts')).JoinPage }));
export const MyMeetingPage = lazy(async () => ({ default: (await import('../features/meetings/index.ts')).MyMeetingPage }));
export const Shell = lazy(async () => ({ default: (await import('./shell/Shell.tsx')).Shell }));
export const AdminHomePage = lazy(async () => ({ default: (await import('./shell/AdminHomePage.tsx')).AdminHomePage }));
export const NotFoundPage = lazy(async () => ({ default: (await import('./NotFoundPage.tsx')).NotFoundPage }));
