/** The build without subtitles, alternate sound and encryption; its interface is that of the whole one. */
declare module 'hls.js/light' {
  export * from 'hls.js';
  export { default } from 'hls.js';
}
