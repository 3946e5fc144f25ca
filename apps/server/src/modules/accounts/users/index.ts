export {
  addAccount,
  changeDetails,
  addDirectoryAccounts,
  addPushedAccount,
  removeAccount,
  NO_PASSWORD,
  markSignedIn,
  setAccountsEnabled,
  setOwnPassword,
  setPassword,
  type Details,
  type NewAccount,
} from './accounts.ts';
export { createDirectory, type Directory } from './directory.ts';
export type {
  AccountRights,
  AccountSessions,
  EndReason,
  OpenSession,
  PasswordGuesses,
  RoleName,
  UserDeps,
} from './ports.ts';
export { defineUserJobs, purgeDeleted } from './jobs.ts';
export { createOwnAccount, type OwnAccount } from './own-account.ts';
export { checkNewPassword, makePassword, mustChangePassword, spentPasswords } from './password-rules.ts';
export { hashPassword, mustHaveRoomToHash, verifyEach, verifyPassword } from './passwords.ts';
export { tenantMeant } from './policy.ts';
export { presentProfile } from './present.ts';
export {
  countByDepartment,
  countMembers,
  findAccount,
  findAccounts,
  hasOtherAdmin,
  digitsOf,
  findAccountsByName,
  findAccountsByPhone,
  findOwnTenant,
  isInvitable,
  peopleOfDepartment,
  searchPeople,
} from './repo.ts';
export { userRoutes, type AccessHandlers, type UserServices } from './routes.ts';
export { createInvitations, findInvitation, type Invitations } from './invitations.ts';
export { createUserTasks, userTaskRoutes, type UserTasks } from './tasks/index.ts';
export { mustHaveRoom } from './change.ts';
export { createUserService, type UserService } from './service.ts';
