import { LIMITS, isEncryptedText } from '@rmeet/contract';
import { expect, test } from 'vitest';
import { ChatCipher, securityCode } from '../../src/call/chat-cipher.ts';
import { newMeetingKey } from '../../src/lib/meetingKeys.ts';

const message = { id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d12', termId: 'T1' };

test('a chat text is opened with the key it was sealed with, as the message it was sealed as', async () => {
  const key = newMeetingKey();
  const sealed = await new ChatCipher(key).seal('病人情况稳定', message);
  expect(isEncryptedText(sealed)).toBe(true);
  expect(await new ChatCipher(key).open(sealed, message)).toBe('病人情况稳定');
  expect(await new ChatCipher(newMeetingKey()).open(sealed, message)).toBeNull();
  expect(await new ChatCipher(key).open(sealed, { ...message, termId: 'T2' })).toBeNull();
  expect(await new ChatCipher(key).open(sealed, { ...message, id: '0198f6a2-7e6d-7c40-9a11-5b1f0e3c2d13' })).toBeNull();
  expect(await new ChatCipher(key).open('plain', message)).toBeNull();
});

test('the same text is sealed differently each time, and the longest text fits', async () => {
  const cipher = new ChatCipher(newMeetingKey());
  const longest = '会'.repeat(LIMITS.chatText);
  const [one, other] = [await cipher.seal(longest, message), await cipher.seal(longest, message)];
  expect(one).not.toBe(other);
  expect(isEncryptedText(one)).toBe(true);
  expect(isEncryptedText(`${one}A`)).toBe(false);
});

test('the security code tells keys apart', async () => {
  const [key, other] = [newMeetingKey(), newMeetingKey()];
  expect(await securityCode(key)).toBe(await securityCode(key));
  expect(await securityCode(key)).not.toBe(await securityCode(other));
  expect(await securityCode(key)).toMatch(/^\d{5}( \d{5}){3}$/);
});
