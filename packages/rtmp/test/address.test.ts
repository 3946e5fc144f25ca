import { expect, test } from 'vitest';
import { parseRtmpAddress, signForAliyun, signForTencent } from '../src/index.ts';

test('an address is split into what RTMP sends of it', () => {
  expect(parseRtmpAddress('rtmp://push.example.com/live/lecture?auth_key=1-0-0-a')).toEqual({
    isSecure: false,
    host: 'push.example.com',
    port: 1935,
    app: 'live',
    stream: 'lecture?auth_key=1-0-0-a',
    tcUrl: 'rtmp://push.example.com/live',
  });
  expect(parseRtmpAddress('rtmps://push.example.com:8443/app/instance/', 'key')).toMatchObject({
    isSecure: true,
    port: 8443,
    app: 'app/instance',
    stream: 'key',
    tcUrl: 'rtmps://push.example.com:8443/app/instance',
  });
  expect(parseRtmpAddress('rtmps://[::1]/live/key')).toMatchObject({ host: '::1', port: 443 });
});

test.each(['', 'live/key', 'https://example.com/live/key', 'rtmp://example.com/live', 'rtmp:///live/key'])(
  'the address "%s" is none',
  (address) => {
    expect(parseRtmpAddress(address)).toBeNull();
  },
);

test("Aliyun's documented address has its documented signature", () => {
  const signature = { key: 'aliyuncdnexp1234', expires: new Date(1_444_435_200_000) };
  expect(signForAliyun('http://cdn.example.com/video/standard/1K.html', signature)).toBe(
    'http://cdn.example.com/video/standard/1K.html?auth_key=1444435200-0-0-80cd3862d699b7118eed99103f2a3a4f',
  );
});

test("Tencent's documented address has its documented signature", () => {
  const signature = { key: 'e12c46f2612d5106e2034781ab261ca3', expires: new Date(0x5c271099 * 1_000) };
  expect(signForTencent('rtmp://livepush.tcloud.com/live/test', signature)).toBe(
    'rtmp://livepush.tcloud.com/live/test?txSecret=f85a2ab363fe4deaffef9754d79da6fe&txTime=5C271099',
  );
  expect(signForTencent('https://play.example.com/live/test.m3u8', signature)).toContain(
    'test.m3u8?txSecret=f85a2ab363fe4deaffef9754d79da6fe&',
  );
});
