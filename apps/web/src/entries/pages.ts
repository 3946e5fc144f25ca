import type { ComponentType } from 'react';
import { system } from '../lib/browser.ts';
import type { MenuPage } from '../lib/menuComponents.ts';
import type { adminPages } from './adminPages.ts';
import { loadPage } from './loadPage.ts';

/** Standalone pages, and those available to every account inside the layout. */
export const LoginPage = loadPage(async () => (await import('../features/auth/index.ts')).LoginPage);
export const ScanPage = loadPage(async () => (await import('../features/auth/scan/ScanPage.tsx')).ScanPage);
export const InvitationPage = loadPage(
  async () => (await import('../features/auth/invitation/InvitationPage.tsx')).InvitationPage,
);
export const SsoPage = loadPage(async () => (await import('../features/auth/sso/SsoPage.tsx')).SsoPage);
export const EnterpriseSsoPage = loadPage(
  async () => (await import('../features/auth/sso/EnterpriseSsoPage.tsx')).EnterpriseSsoPage,
);
export const JoinPage = loadPage(async () => (await import('../features/conferences/index.ts')).JoinPage);
// Not imported through the index of its feature, which also loads what other pages use of it.
export const MyMeetingPage = loadPage(
  system === 'user'
    ? async () => (await import('./StartPage.tsx')).StartPage
    : async () => (await import('../features/meetings/list/MyMeetingPage.tsx')).MyMeetingPage,
);
export const RecordPage = loadPage(async () => (await import('../features/history/index.ts')).RecordPage);
export const RecordingPage = loadPage(
  async () => (await import('../features/recordings/detail/RecordingPage.tsx')).RecordingPage,
);
export const SharedRecordingPage = loadPage(
  async () => (await import('../features/recordings/shared/SharedRecordingPage.tsx')).SharedRecordingPage,
);
export const EditorPage = loadPage(
  async () => (await import('../features/documents/editor/EditorPage.tsx')).EditorPage,
);
export const WatchPage = loadPage(async () => (await import('../features/live/watch/WatchPage.tsx')).WatchPage);
export const ClientDownloadPage = loadPage(
  async () => (await import('../features/clientPackages/downloads/ClientDownloadPage.tsx')).ClientDownloadPage,
);
export const FixedNumberPage = loadPage(
  async () => (await import('../features/meetings/fixedNumber/index.ts')).FixedNumberPage,
);
export const UserInfoPage = loadPage(async () => (await import('../features/profile/index.ts')).UserInfoPage);
export const ApiReferencePage = loadPage(
  async () => (await import('../features/apiReference/index.ts')).ApiReferencePage,
);
export const IconGalleryPage = loadPage(async () => (await import('../features/icons/index.ts')).IconGalleryPage);
export const UserAccessPage = loadPage(async () => (await import('../features/permissions/index.ts')).UserAccessPage);
export const SingleLoginPage = loadPage(async () => (await import('./passing/SingleLoginPage.tsx')).SingleLoginPage);
export const HandOverPage = loadPage(async () => (await import('./passing/HandOverPage.tsx')).HandOverPage);
export const LogoutPage = loadPage(async () => (await import('./passing/LogoutPage.tsx')).LogoutPage);
export const ControlPage = loadPage(async () => (await import('./ControlPage.tsx')).ControlPage);
export const StatusWallPage = loadPage(
  async () => (await import('../features/conferences/desk/index.ts')).StatusWallPage,
);
export const Shell = loadPage(async () => (await import('./shell/Shell.tsx')).Shell);
export const AdminHomePage = loadPage(async () => (await import('./shell/AdminHomePage.tsx')).AdminHomePage);
export const NotFoundPage = loadPage(async () => (await import('./NotFoundPage.tsx')).NotFoundPage);

const adminPage = (name: keyof typeof adminPages): ComponentType =>
  loadPage(async () => (await import('./adminPages.ts')).adminPages[name]());

/** The pages that menu entries may show, by the name in their field `component`. */
export const menuPages: Record<MenuPage, ComponentType> = {
  MyMeeting: MyMeetingPage,
  MeetingHistory: loadPage(async () => (await import('../features/history/index.ts')).HistoryPage),
  RecordMeeting: loadPage(async () => (await import('../features/recordings/list/RecordingsPage.tsx')).RecordingsPage),
  LiveMeeting: loadPage(async () => (await import('../features/live/list/LiveMeetingsPage.tsx')).LiveMeetingsPage),
  ManualLive: loadPage(async () => (await import('../features/live/manual/ManualLivePage.tsx')).ManualLivePage),
  Documents: loadPage(async () => (await import('../features/documents/index.ts')).DocumentsPage),
  OccupyRoom: loadPage(async () => (await import('./OccupyPage.tsx')).OccupyPage),
  Users: adminPage('Users'),
  Rooms: adminPage('Rooms'),
  Terminals: adminPage('Terminals'),
  Resources: adminPage('Resources'),
  Approvals: adminPage('Approvals'),
  Tenants: adminPage('Tenants'),
  IdentityProviders: adminPage('IdentityProviders'),
  Certificates: adminPage('Certificates'),
  Directories: adminPage('Directories'),
  NoticeTexts: adminPage('NoticeTexts'),
  Announcements: adminPage('Announcements'),
  Statistics: adminPage('Statistics'),
  StartApps: adminPage('StartApps'),
  AssistantSettings: adminPage('AssistantSettings'),
  TenantSettings: adminPage('TenantSettings'),
  Operators: adminPage('Operators'),
  Roles: adminPage('Roles'),
  Permissions: adminPage('Permissions'),
  MenuManage: adminPage('MenuManage'),
  ClientPackages: adminPage('ClientPackages'),
  ApiRecord: adminPage('ApiRecord'),
  AuditLog: adminPage('AuditLog'),
};
