import { AppError } from '../../platform/http/index.ts';
import type { DeliveryRoutes } from './routes.ts';

/** The calls of media before they are there: nothing is found. Replaced by the delivery. */
export const noDelivery: DeliveryRoutes = {
  playlist: () => Promise.reject(new AppError('NOT_FOUND')),
  media: () => Promise.reject(new AppError('NOT_FOUND')),
};
