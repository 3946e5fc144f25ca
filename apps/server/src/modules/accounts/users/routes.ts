import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../../platform/http/index.ts';
import type { Directory } from './directory.ts';
import type { OwnAccount } from './own-account.ts';
import { onlyManages } from './policy.ts';
import type { UserService } from './service.ts';

type AllHandlers = Handlers<typeof contract.users>;
/** Routes about an account that the modules roles and permissions handle. */
export type AccessHandlers = Pick<AllHandlers, 'access' | 'grants' | 'setGrants'>;

export interface UserServices {
  users: UserService;
  directory: Directory;
  own: OwnAccount;
}

export const userRoutes = ({ users, directory, own }: UserServices, access: AccessHandlers): AllHandlers => ({
  ...access,
  list: (context, { query }) => directory.list(context, query),
  departments: (context, { query }) => directory.departments(context, query.tenantId),
  export: (context, { query }) => directory.export(context, query),
  create: (context, { body }) => users.create(context, body),
  update: (context, { body }) => users.update(context, body),
  remove: (context, { query }) => users.remove(context, query),
  restore: (context, { body }) => users.restore(context, body),
  purge: (context, { body }) => users.purge(context, body),
  invitationMail: () => users.invitationMail(),
  invite: (context, { body }) => users.invite(context, body),
  revokeInvitation: (context, { body }) => users.revokeInvitation(context, body),
  status: (context, { body }) => users.setEnabled(context, body),
  resetPassword: (context, { body }) => users.resetPassword(context, body),
  endSessions: (context, { body }) => users.endSessions(context, body),
  lookup: (context, { body }) => directory.lookup(context, body),
  search: (context, { query }) => directory.search(context, query.keyword),
  current: (context) => directory.current(context),
  forClient: ({ caller }) => ({ openNewPage: !onlyManages(caller.permissions) }),
  tenantInfo: (context, { params }) => directory.tenantInfo(context, params.id),
  updateSelf: async (context, { body }) => {
    await own.update(context, body);
    return directory.current(context);
  },
  changePassword: async (context, { body }) => {
    await own.changePassword(context, body);
    return null;
  },
  sessions: (context) => own.listSessions(context),
  endSession: async (context, { params }) => {
    await own.endSession(context, params.id);
    return null;
  },
});
