import { basename } from 'node:path';

/**
 * Scenarios reach the product over HTTP and not by import, so this table maps sources to scenarios: folders of e2e, by
 * the prefix of a source's path; of several matching rows, the one with the longest path counts. `near` are parts of
 * the paths of vitest's files about the same subject: they always run, and first.
 */
interface Domain {
  source: string;
  e2e: readonly string[];
  near: readonly string[];
}

/** `near` for these: the beginning of their tests' names. */
const part =
  (source: string, tests: string) =>
  (name: string, e2e: readonly string[], near: readonly string[] = []): Domain => ({
    source: `${source}/${name}`,
    e2e,
    near: near.map((begin) => `${tests}/${begin}`),
  });
const server = part('apps/server/src/modules', 'apps/server/test/modules');
const platform = part('apps/server/src/platform', 'apps/server/test/platform');
const web = part('apps/web/src', 'apps/web/test');
const contract = (file: string, e2e: readonly string[], near: readonly string[]): Domain => ({
  source: `packages/contract/src/${file}`,
  e2e,
  near,
});
const conference = (file: string, e2e: readonly string[], near: readonly string[]): Domain => ({
  source: `packages/conference/src/${file}`,
  e2e,
  near,
});
const ofContract = 'packages/contract/test/';
const ofConference = 'packages/conference/test/';
const ofModules = 'apps/server/test/modules/';

export const domains: readonly Domain[] = [
  server('approvals', ['approvals'], ['approvals']),
  server('assistant', ['help'], ['assistant']),
  server('audit', ['audit'], ['audit']),
  server('accounts/auth', ['auth'], ['auth', 'guessing', 'access']),
  server(
    'conferences',
    ['conferences', 'guests'],
    ['conference', 'join', 'quotas', 'guessing', 'before-host', 'early-entry', 'reconciler'],
  ),
  server('conferences/calls', ['conferences', 'desk'], ['call', 'extend', 'grant']),
  server('conferences/control', ['conferences', 'desk'], ['control', 'polling', 'screen', 'quotas', 'desk-inputs']),
  server('conferences/desk', ['desk'], ['desk', 'reports']),
  server('conferences/engine', ['conferences', 'desk'], ['conference', 'enforcer', 'reconciler', 'topology']),
  server(
    'conferences/joining',
    ['conferences', 'guests'],
    ['conference', 'join', 'quotas', 'guessing', 'before-host', 'early-entry', 'admission-guard'],
  ),
  server('conferences/proceedings', ['desk', 'conferences'], ['proceedings', 'scenes', 'polling']),
  server('conferences/topology', ['desk'], ['topology']),
  server('guests', ['guests'], ['guests']),
  server('client-packages', ['client-packages'], ['client-packages']),
  server('history', ['history'], ['history']),
  server('host-keys', ['host-keys'], ['host-keys']),
  server('meetings', ['meetings'], ['meeting', 'booking', 'join', 'white-list', 'before-host', 'fixed-number']),
  server('meetings/booking', ['meetings'], ['meeting', 'booking']),
  server('meetings/invitees', ['meetings'], ['booking', 'colleagues']),
  server('meetings/series', ['meetings'], ['series']),
  server('notices', ['notices'], ['notices']),
  server('announcements', ['announcements'], ['announcements']),
  server('release-notes', ['release-notes'], ['release-notes']),
  server('start-apps', ['start-apps'], ['start-apps']),
  server('accounts/operators', ['operators'], ['operators']),
  server('accounts/permissions', ['permissions', 'menus'], ['permissions', 'access']),
  server('resources', ['resources', 'meetings'], ['resources']),
  server('accounts/roles', ['roles'], ['roles']),
  server('rooms', ['rooms', 'meetings'], ['room', 'opening', 'series']),
  server('accounts/sso', ['sso', 'auth'], ['sso']),
  server('accounts/certificates', ['certificates', 'auth'], ['certificate']),
  server('accounts/tenants', ['tenants'], ['tenants']),
  server('terminals', ['terminals'], ['terminals']),
  server('accounts/users', ['users', 'profile'], ['users', 'activity']),
  platform('config', [], ['config']),
  platform('http', ['auth', 'users'], ['http', 'forms', 'addresses', 'connections', 'odd-targets']),
  platform('media', ['conferences'], ['media', 'web-and-media', 'lost-media']),
  platform('push', ['notices', 'conferences', 'desk'], ['push', 'two-servers']),
  platform('process', [], ['supervisor']),
  platform('jobs', ['notices'], ['jobs']),
  platform('mail', ['notices'], ['mail']),
  platform('sms', ['notices'], ['sms']),
  platform('storage', ['meetings'], ['storage']),
  platform('export', ['users', 'terminals', 'audit'], []),
  platform('import', ['terminals'], []),

  web('call', ['conferences', 'desk', 'guests'], ['call']),
  web('entries', ['auth', 'menus', 'screens'], ['guard', 'menu']),
  web('features/approvals', ['approvals']),
  web('features/assistant', ['help'], ['assistant']),
  web('features/audit', ['audit'], ['audit']),
  web('features/auth', ['auth'], ['session']),
  web('features/conferences', ['conferences', 'guests'], ['conferences']),
  web('features/conferences/desk', ['desk'], ['desk']),
  web('features/history', ['history'], ['history']),
  web('features/meetings', ['meetings'], ['meetings', 'series']),
  web('features/meetings/calendar', ['meetings'], ['calendar']),
  web('features/identityProviders', ['sso']),
  web('features/certificates', ['certificates']),
  web('features/menus', ['menus'], ['menus']),
  web('features/notices', ['notices']),
  web('features/announcements', ['announcements'], ['announcements']),
  web('features/releaseNotes', ['release-notes']),
  web('features/startApps', ['start-apps']),
  web('features/icons', ['icons']),
  web('features/operators', ['operators']),
  web('features/permissions', ['permissions'], ['permission']),
  web('features/profile', ['profile'], ['profile']),
  web('features/resources', ['resources']),
  web('features/roles', ['roles']),
  web('features/rooms', ['rooms'], ['rooms', 'room-forms']),
  web('features/tenants', ['tenants']),
  web('features/terminals', ['terminals'], ['terminals']),
  web('features/users', ['users'], ['departments']),
  web('lib', ['auth', 'users', 'screens', 'webkit']),
  web('lib/push', ['notices', 'conferences', 'desk'], ['push']),
  web('lib/rooms', ['rooms', 'meetings'], ['rooms']),
  // Lists and forms of the administration: one domain of each kind of caller, and the checks of every screen.
  web('ui', ['users', 'approvals', 'screens']),

  contract('', ['auth', 'users', 'meetings', 'conferences'], [ofContract]),
  contract('conferences', ['conferences', 'desk'], [ofContract, `${ofModules}control`]),
  conference('', ['conferences', 'desk'], [ofConference, `${ofModules}control`]),
  conference('layout', ['conferences', 'desk'], [`${ofConference}layout`]),
  conference('speakers', ['conferences', 'desk'], [`${ofConference}speakers`]),
  conference('programme', ['conferences'], [`${ofConference}programme`]),
  ...[
    'meetings/approvals',
    'platform/audit',
    'accounts/auth',
    'meetings/guests',
    'meetings/history',
    'meetings/meetings',
    'notices/notices',
    'accounts/operators',
    'accounts/permissions',
    'rooms/resources',
    'accounts/roles',
    'rooms/rooms',
    'accounts/tenants',
    'rooms/terminals',
    'accounts/users',
  ].map((path) => {
    const name = basename(path);
    return contract(path, [name], [`${ofContract}contract`, `${ofModules}${name}`, `${ofModules}access`]);
  }),
  { source: 'packages/manual/src', e2e: ['help'], near: ['packages/manual/test/', 'apps/web/test/manual'] },
  { source: 'packages/rtp/src', e2e: ['media'], near: ['packages/rtp/test/', 'packages/sfu/test/'] },
  { source: 'packages/sfu/src', e2e: ['media', 'conferences'], near: [] },
  { source: 'packages/participant/src', e2e: ['media'], near: ['packages/participant/test/'] },
  { source: 'packages/recorder/src', e2e: [], near: ['packages/recorder/test/'] },
];

/** The row for a source; undefined if the table has none. */
export function domainOf(file: string): Domain | undefined {
  return domains
    .filter(({ source }) => file.startsWith(source))
    .toSorted((a, b) => b.source.length - a.source.length)[0];
}
