/**
 * The embedded media engine: the parts of LiveKit's signalling, media and server API that livekit-client (over
 * `/rtc/v1` and `/rtc`) and livekit-server-sdk need, in one Node process.
 *
 * `start(options)` opens one HTTP port (signalling, Twirp, health, metrics) and one UDP port (all media). Everything
 * else is internal; `Engine.close()` releases everything.
 */
export { start } from './engine.ts';
export type {
  Capacity,
  Engine,
  EngineOptions,
  Log,
  LogLevel,
  TransportChoice,
  TurnOptions,
  WebhookOptions,
} from './options.ts';
