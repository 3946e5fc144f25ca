export {
  BrowserGone,
  createWebPush,
  makeWebPushKeys,
  WebPushRefused,
  type BrowserAddress,
  type WebPush,
  type WebPushKeys,
} from './web-push.ts';
