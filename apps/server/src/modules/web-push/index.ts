export { webPushRoutes } from './routes.ts';
export { WebPushService, type Notification, type WebPushPort } from './service.ts';
