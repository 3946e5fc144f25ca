/**
 * The embedded media engine: enough of LiveKit's signalling, media and server API for
 * livekit-client (over `/rtc/v1` and `/rtc`) and livekit-server-sdk, in one Node process.
 *
 * `start(options)` opens one HTTP port (signalling, Twirp, health, metrics) and one UDP port
 * (all media). Everything else is inside; `Engine.close()` lets everything go again.
 */
export { start } from './engine.ts';
export type { Capacity, Engine, EngineOptions, Log, LogLevel, TurnOptions, WebhookOptions } from './options.ts';
