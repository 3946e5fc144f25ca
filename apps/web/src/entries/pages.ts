import { loadPage } from './loadPage.ts';

export const LoginPage = loadPage(async () => (await import('../features/auth/index.ts')).LoginPage);
export const JoinPage = loadPage(async () => (await import('../features/conferences/index.ts')).JoinPage);
export const MyMeetingPage = loadPage(async () => (await import('../features/meetings/index.ts')).MyMeetingPage);
export const Shell = loadPage(async () => (await import('./shell/Shell.tsx')).Shell);
export const AdminHomePage = loadPage(async () => (await import('./shell/AdminHomePage.tsx')).AdminHomePage);
export const NotFoundPage = loadPage(async () => (await import('./NotFoundPage.tsx')).NotFoundPage);
