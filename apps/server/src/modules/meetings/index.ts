export { isManagedBy, manageMeeting, relationIn, visibleTo } from './access/access.ts';
export { meetingEarly, presentStart } from './access/early-entry.ts';
export { grantedOf, grantMeeting, takeMeetingBack } from './access/grants.ts';
export { KEY_NOTE, linksOf, mailedLink, watchLink } from './access/links.ts';
export { isPassword, passwordOf, sealPassword } from './access/passwords.ts';
export { mayManage, refusalToOpen, type MeetingRelation } from './access/policy.ts';
export { createWhiteLists, isOnWhiteList, whiteListRoutes } from './access/white-list.ts';
export { createBookingOptions } from './booking/options.ts';
export { announceMeeting } from './events.ts';
export { findFileOfMeeting } from './files/download.ts';
export { filesOfMeetings, storedFilesOf } from './files/files.ts';
export { createFixedNumbers, findFixedNumber, fixedNumberRoutes } from './fixed-number/fixed-number.ts';
export { takeNumber } from './fixed-number/numbers.ts';
export { createGroups } from './invitees/groups.ts';
export { inviteMore } from './invitees/more.ts';
export { createInvitees } from './invitees/invitees.ts';
export { defineMeetingJobs } from './jobs.ts';
export { meetingContains, ownMeetings, searchMeetings } from './lists/search.ts';
export type { ApprovalOutcome, BlockedChannels, ConferencePort, LivePort, NoticeActor, NoticePort } from './ports.ts';
export {
  findMeeting,
  findMeetingByNumber,
  findParticipants,
  hostsBusy,
  insertMeeting,
  isInvited,
  moveMeeting,
  prolongMeeting,
  replaceParticipants,
} from './repo.ts';
export { bookingRoutes, meetingRoutes, seriesRoutes } from './routes.ts';
export { allStarts } from './series/plan.ts';
export { createSeriesPreview } from './series/preview.ts';
export { lockMeetings, lockSeries } from './series/repo.ts';
export { createMeetingService, type MeetingService } from './service.ts';
export {
  endTimeOf,
  guestLinksUntil,
  hasConference,
  isApproved,
  isEarly,
  isHeld,
  isOver,
  openBy,
  refusalWithoutConference,
  usesRooms,
} from './status.ts';
export { declareMeetingTopics } from './topics.ts';
