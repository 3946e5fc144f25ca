import { apiRecords } from './accounts/api-records.ts';
import { approvals } from './meetings/approvals.ts';
import { assistant } from './assistant/assistant.ts';
import { audit } from './platform/audit.ts';
import { auth } from './accounts/auth.ts';
import { booking } from './meetings/booking.ts';
import { broadcasts } from './live/broadcasts.ts';
import { invitations } from './accounts/invitations.ts';
import { liveProviders } from './live/providers.ts';
import { manualLives } from './live/manual.ts';
import { clientPackages } from './platform/client-packages.ts';
import { conferences } from './conferences/conferences.ts';
import { directories } from './accounts/directories.ts';
import { documents } from './documents/documents.ts';
import { diagnostics } from './platform/diagnostics.ts';
import { downloads } from './platform/downloads.ts';
import { fixedNumber } from './meetings/fixed-number.ts';
import { guests } from './meetings/guests.ts';
import { hostKeys } from './meetings/host-keys.ts';
import { hrsms } from './accounts/hrsms.ts';
import { history } from './meetings/history.ts';
import { meetingFiles } from './meetings/meeting-files.ts';
import { meetings } from './meetings/meetings.ts';
import { multiauth } from './accounts/multiauth.ts';
import { passkeys } from './accounts/passkeys.ts';
import { notices } from './notices/notices.ts';
import { announcements } from './notices/announcements.ts';
import { memo } from './platform/memo.ts';
import { startApps } from './platform/start-apps.ts';
import { operators } from './accounts/operators.ts';
import { permissions } from './accounts/permissions.ts';
import { recordings } from './recordings/recordings.ts';
import { resources } from './rooms/resources.ts';
import { roles } from './accounts/roles.ts';
import { rooms } from './rooms/rooms.ts';
import { scim } from './accounts/scim.ts';
import { scanLogon } from './accounts/scan-logon.ts';
import { sso } from './accounts/sso.ts';
import { identityProviders } from './accounts/identity-providers.ts';
import { certs } from './accounts/certs.ts';
import { certificateAuthorities } from './accounts/certificate-authorities.ts';
import { series } from './meetings/series.ts';
import { setup } from './platform/setup.ts';
import { statistics } from './platform/statistics.ts';
import { tenants } from './accounts/tenants.ts';
import { terminals } from './rooms/terminals.ts';
import { users } from './accounts/users.ts';
import { userTasks } from './accounts/user-tasks.ts';
import { webhooks } from './accounts/webhooks.ts';
import { webPush } from './notices/web-push.ts';
import { watch } from './live/watch.ts';
import { whiteList } from './meetings/white-list.ts';

/** Every HTTP call, by domain. */
export const contract = {
  auth,
  scanLogon,
  sso,
  identityProviders,
  certs,
  certificateAuthorities,
  hrsms,
  multiauth,
  passkeys,
  users,
  userTasks,
  invitations,
  tenants,
  directories,
  scim,
  operators,
  roles,
  permissions,
  apiRecords,
  webhooks,
  guests,
  assistant,
  audit,
  meetings,
  booking,
  meetingFiles,
  history,
  recordings,
  broadcasts,
  watch,
  liveProviders,
  manualLives,
  fixedNumber,
  whiteList,
  conferences,
  rooms,
  resources,
  approvals,
  series,
  terminals,
  notices,
  announcements,
  memo,
  startApps,
  webPush,
  statistics,
  diagnostics,
  documents,
  downloads,
  clientPackages,
  hostKeys,
  setup,
};

export * from './accounts/account-roles.ts';
export * from './accounts/api-records.ts';
export * from './accounts/api-scopes.ts';
export * from './meetings/approvals.ts';
export * from './conferences/arrival-gaps.ts';
export * from './assistant/assistant.ts';
export * from './platform/audit.ts';
export * from './accounts/auth.ts';
export * from './accounts/directories.ts';
export * from './meetings/booking.ts';
export * from './live/broadcasts.ts';
export * from './live/watch.ts';
export * from './live/manual.ts';
export * from './live/providers.ts';
export * from './conferences/before-joining.ts';
export * from './http/client.ts';
export * from './conferences/chat-files.ts';
export * from './conferences/commands.ts';
export * from './conferences/desk.ts';
export * from './conferences/people-inside.ts';
export { commandAnswer, type CommandAnswer } from './conferences/command-route.ts';
export * from './conferences/record-commands.ts';
export * from './conferences/requests.ts';
export * from './conferences/topology.ts';
export * from './time-words.ts';
export * from './conferences/conferences.ts';
export * from './constants.ts';
export * from './meetings/contacts.ts';
export { applyDeskEvent } from './conferences/desk-state.ts';
export * from './documents/documents.ts';
export * from './documents/socket.ts';
export * from './platform/client-packages.ts';
export * from './platform/diagnostics.ts';
export * from './platform/downloads.ts';
export * from './platform/files.ts';
export * from './http/envelope.ts';
export * from './errors.ts';
export * from './meetings/fixed-number.ts';
export * from './meetings/guests.ts';
export * from './meetings/history.ts';
export * from './meetings/host-keys.ts';
export * from './lengths.ts';
export * from './conferences/media-quality.ts';
export * from './meetings/meeting-files.ts';
export * from './meetings/meeting-types.ts';
export * from './meetings/meetings.ts';
export * from './notices/notices.ts';
export * from './notices/announcements.ts';
export * from './notices/announcement-text.ts';
export * from './platform/memo.ts';
export * from './platform/start-apps.ts';
export * from './links.ts';
export * from './notices/web-push.ts';
export * from './http/openapi.ts';
export * from './accounts/device.ts';
export * from './accounts/hrsms.ts';
export * from './accounts/identity-providers.ts';
export * from './accounts/multiauth.ts';
export * from './accounts/passkeys.ts';
export * from './accounts/operators.ts';
export * from './accounts/entry-types.ts';
export * from './accounts/permissions-catalogue.ts';
export * from './accounts/permissions.ts';
export * from './push.ts';
export * from './recordings/recordings.ts';
export * from './recordings/settings.ts';
export * from './recordings/timeline.ts';
export * from './rooms/resources.ts';
export * from './accounts/roles.ts';
export * from './accounts/scan-logon.ts';
export * from './accounts/scim.ts';
export * from './rooms/rooms.ts';
export * from './http/route.ts';
export * from './meetings/series.ts';
export * from './platform/setup.ts';
export * from './platform/statistics.ts';
export * from './notices/sms-gateway.ts';
export * from './accounts/second-factor.ts';
export * from './accounts/sign-in.ts';
export * from './accounts/sso.ts';
export * from './accounts/certs.ts';
export * from './accounts/certificate-authorities.ts';
export * from './accounts/tenants.ts';
export * from './rooms/terminals.ts';
export * from './accounts/users.ts';
export * from './accounts/user-tasks.ts';
export * from './accounts/invitations.ts';
export * from './accounts/webhooks.ts';
export * from './meetings/white-list.ts';
