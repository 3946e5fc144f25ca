export { manageMeeting, relationIn, visibleTo } from './access.ts';
export { giveRoomsBack, mustStayOpen, roomsBusy, roomsOfMeetings } from './bookings.ts';
export { meetingsOfPeople } from './busy-people.ts';
export { announceMeeting } from './events.ts';
export { findFile, findMeetingOfFile } from './files.ts';
export { grantedOf, grantMeeting, takeMeetingBack } from './grants.ts';
export { createFixedNumbers, findFixedNumber, fixedNumberRoutes } from './fixed-number.ts';
export { defineMeetingJobs } from './jobs.ts';
export { linksOf, mailedLink } from './links.ts';
export type { ApprovalOutcome, NoticeDoor, NoticeActor } from './notice-door.ts';
export { takeNumber } from './numbers.ts';
export { createOneMeeting } from './one-meeting.ts';
export { meetingEarly, presentStart } from './early.ts';
export { isPassword, passwordOf, sealPassword } from './passwords.ts';
export { mayManage, refusalToOpen, type MeetingRelation } from './policy.ts';
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
export {
  bookResource,
  countExpected,
  freeOf,
  giveResourcesBack,
  monthOf,
  portsOf,
  resourceBusy,
  resourcesFor,
  resourcesOfMeetings,
} from './resources.ts';
export { meetingRoutes, seriesRoutes } from './routes.ts';
export { meetingContains, ownMeetings, searchMeetings } from './search.ts';
export { allStarts } from './series-plan.ts';
export { lockMeetings, lockSeries } from './series-repo.ts';
export { createSeriesPreview } from './series-preview.ts';
export { createMeetingService, type ConferenceDoor, type MeetingService } from './service.ts';
export { endTimeOf, guestLinksUntil, hasConference, isEarly, isHeld, isOver, openBy, usesRooms } from './status.ts';
export { defineFileJobs, sweepFiles, sweepSoon } from './stored-files.ts';
export { declareMeetingTopics } from './topics.ts';
export { createWhiteLists, isOnWhiteList, whiteListRoutes } from './white-list.ts';
