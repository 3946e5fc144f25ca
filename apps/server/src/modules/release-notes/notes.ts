import type { ReleaseNote } from '@rmeet/contract';

/**
 * What is new in each version, for the people who use the product; the newest first. A release adds an entry here and
 * changes the version in package.json, which must be that of the first entry.
 */
export const RELEASE_NOTES: readonly [ReleaseNote, ...ReleaseNote[]] = [
  {
    version: '0.1.0',
    date: '2026-11-27',
    changes: {
      zh: [
        '预约和召开视频、网络、电话、直播和本地会议，支持周期会议与审批',
        '会控台：主席、发言人、轮询、分屏、字幕、录制与直播',
        '录制管理：在线播放、剪辑、分享与下载',
        '多种登录方式：短信、扫码、证书、通行密钥与单点登录',
        '公告、首页应用与版本说明',
      ],
      en: [
        'Book and hold video, network, telephone, live and local meetings, with series and approval',
        'Control desk: chair, speaker, polling, layouts, captions, recording and live broadcasts',
        'Recordings: play, edit, share and download',
        'More ways to sign in: text message, QR code, certificate, passkey and single sign-on',
        'Announcements, apps of the start page, and release notes',
      ],
    },
  },
];
