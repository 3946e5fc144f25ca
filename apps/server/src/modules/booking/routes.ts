import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { Choices } from './choices.ts';
import type { Groups } from './groups.ts';
import type { People } from './people.ts';

export const bookingRoutes = (choices: Choices, people: People, groups: Groups): Handlers<typeof contract.booking> => ({
  templates: () => choices.templates(),
  participantLimit: (context, { params }) => choices.participantLimit(context, params),
  allowUpdate: (context, { params, query }) => choices.allowUpdate(context, params.id, query),
  departments: (context) => people.departments(context),
  groups: (context) => groups.list(context),
  createGroup: (context, { body }) => groups.create(context, body),
  updateGroup: (context, { params, body }) => groups.update(context, params.id, body),
  removeGroup: async (context, { params }) => {
    await groups.remove(context, params.id);
    return null;
  },
  busy: (context, { body }) => people.busy(context, body),
});

export const meetingFileRoutes = (choices: Choices): Handlers<typeof contract.meetingFiles> => ({
  download: (context, { params }) => choices.download(context, params.id),
});
