import type { ComponentType } from 'react';
import type { MenuPage } from '../lib/menuComponents.ts';

/**
 * The pages of menu entries that administrators have. They are apart from the others, because otherwise the start of
 * every page would carry the names of their files.
 */
export const adminPages = {
  Users: async () => (await import('../features/users/index.ts')).UsersPage,
  Rooms: async () => (await import('../features/rooms/index.ts')).RoomsPage,
  Terminals: async () => (await import('../features/terminals/index.ts')).TerminalsPage,
  Resources: async () => (await import('../features/resources/index.ts')).ResourcesPage,
  Approvals: async () => (await import('../features/approvals/index.ts')).ApprovalsPage,
  Tenants: async () => (await import('../features/tenants/index.ts')).TenantsPage,
  IdentityProviders: async () => (await import('../features/identityProviders/index.ts')).IdentityProvidersPage,
  Certificates: async () => (await import('../features/certificates/index.ts')).CertificatesPage,
  Directories: async () => (await import('../features/directories/index.ts')).DirectoriesPage,
  NoticeTexts: async () => (await import('../features/notices/index.ts')).NoticeTextsPage,
  Announcements: async () => (await import('../features/announcements/writing/index.ts')).AnnouncementsPage,
  StartApps: async () => (await import('../features/startApps/arranging/index.ts')).StartAppsPage,
  AssistantSettings: async () =>
    (await import('../features/assistant/assistantSettings/AssistantSettingsPage.tsx')).AssistantSettingsPage,
  TenantSettings: async () => (await import('../features/tenants/index.ts')).TenantSettingsPage,
  Operators: async () => (await import('../features/operators/index.ts')).OperatorsPage,
  Roles: async () => (await import('../features/roles/index.ts')).RolesPage,
  Permissions: async () => (await import('../features/permissions/index.ts')).PermissionsPage,
  MenuManage: async () => (await import('../features/menus/index.ts')).MenuManagePage,
  ClientPackages: async () => (await import('../features/clientPackages/manage/index.ts')).ClientPackagesPage,
  ApiRecord: async () => (await import('../features/apiRecords/index.ts')).ApiRecordsPage,
  AuditLog: async () => (await import('../features/audit/index.ts')).AuditLogPage,
  Statistics: async () => (await import('../features/statistics/index.ts')).StatisticsPage,
} satisfies Partial<Record<MenuPage, () => Promise<ComponentType>>>;
