import type { contract } from '@rmeet/contract';
import type { Handlers } from '../../platform/http/index.ts';
import type { RoomService } from './service.ts';
import type { RoomUsage } from './usage.ts';

export const roomRoutes = (rooms: RoomService, usage: RoomUsage): Handlers<typeof contract.rooms> => ({
  floors: (context) => rooms.floors(context),
  occupancy: (context, { body }) => usage.occupancy(context, body),
  checkIn: async (context, { body }) => {
    await usage.checkIn(context, body);
    return null;
  },
  release: async (context, { body }) => {
    await usage.release(context, body);
    return null;
  },
  list: (context, { query }) => rooms.list(context, query),
  create: (context, { body }) => rooms.create(context, body),
  update: (context, { params, body }) => rooms.update(context, params.id, body),
  remove: async (context, { params }) => {
    await rooms.remove(context, params.id);
    return null;
  },
  buildings: (context) => rooms.buildings(context),
  createBuilding: (context, { body }) => rooms.createBuilding(context, body),
  updateBuilding: (context, { params, body }) => rooms.updateBuilding(context, params.id, body),
  removeBuilding: async (context, { params }) => {
    await rooms.removeBuilding(context, params.id);
    return null;
  },
});
