import { approvals } from './approvals.ts';
import { audit } from './audit.ts';
import { auth } from './auth.ts';
import { booking } from './booking.ts';
import { conferences } from './conferences.ts';
import { downloads } from './downloads.ts';
import { fixedNumber } from './fixed-number.ts';
import { guests } from './guests.ts';
import { history } from './history.ts';
import { meetingFiles } from './meeting-files.ts';
import { meetings } from './meetings.ts';
import { notices } from './notices.ts';
import { operators } from './operators.ts';
import { permissions } from './permissions.ts';
import { resources } from './resources.ts';
import { roles } from './roles.ts';
import { rooms } from './rooms.ts';
import { series } from './series.ts';
import { setup } from './setup.ts';
import { tenants } from './tenants.ts';
import { terminals } from './terminals.ts';
import { users } from './users.ts';
import { whiteList } from './white-list.ts';

/** Every HTTP call there is, by domain. */
export const contract = {
  auth,
  users,
  tenants,
  operators,
  roles,
  permissions,
  guests,
  audit,
  meetings,
  booking,
  meetingFiles,
  history,
  fixedNumber,
  whiteList,
  conferences,
  rooms,
  resources,
  approvals,
  series,
  terminals,
  notices,
  downloads,
  setup,
};

export * from './account-roles.ts';
export * from './approvals.ts';
export * from './arrival-gaps.ts';
export * from './audit.ts';
export * from './auth.ts';
export * from './booking.ts';
export * from './client.ts';
export { applyCommand, controlChanges, withChanges } from './conference-apply.ts';
export { seatsPolling } from './apply-basics.ts';
export * from './conference-commands.ts';
export {
  beginningControl,
  conferenceControl,
  controlChange,
  controlOrder,
  NO_CONTROL,
  terminalControl,
  type ConferenceControl,
  type ControlChange,
  type TerminalControl,
} from './conference-control.ts';
export * from './conference-desk.ts';
export * from './conference-layout.ts';
export * from './conference-modes.ts';
export * from './conference-proceedings.ts';
export * from './conference-roles.ts';
export { commandAnswer, type CommandAnswer } from './conference-route.ts';
export * from './conference-screen.ts';
export * from './conference-topology.ts';
export * from './conference-verbs.ts';
export * from './conferences.ts';
export * from './constants.ts';
export * from './contacts.ts';
export { applyDeskEvent } from './desk-state.ts';
export * from './downloads.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './fixed-number.ts';
export * from './guests.ts';
export * from './history.ts';
export { gridIn, gridOf, stageIn, type Place, type Space } from './layout-geometry.ts';
export { seatsIn } from './layout-models.ts';
export * from './lengths.ts';
export * from './media-quality.ts';
export * from './meeting-files.ts';
export * from './meeting-types.ts';
export * from './meetings.ts';
export * from './notices.ts';
export * from './openapi.ts';
export * from './operators.ts';
export * from './permissions-catalogue.ts';
export * from './permissions.ts';
export * from './programme.ts';
export * from './push.ts';
export * from './resources.ts';
export * from './roles.ts';
export * from './rooms.ts';
export * from './route.ts';
export * from './series.ts';
export * from './setup.ts';
export * from './sms-gateway.ts';
export * from './speakers.ts';
export * from './tenants.ts';
export * from './terminals.ts';
export * from './users.ts';
export * from './white-list.ts';
