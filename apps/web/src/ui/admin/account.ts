import { ACCOUNT_PATTERN, decodeContact, encodeContact, PHONE_PATTERN, type Locale } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from './useForm.ts';

/** What users and operators have in common, as it stands in a form. */
export interface AccountDraft {
  account: string;
  name: string;
  /** Decoded; empty for none. */
  phoneNumber: string;
  email: string;
  locale: Locale;
}

const ACCOUNT_LENGTH = { min: 2, max: 64 };

export const emptyAccount: AccountDraft = { account: '', name: '', phoneNumber: '', email: '', locale: 'zh' };

export function accountDraftOf({ account, name, phoneNumber, email, locale }: AccountDraft): AccountDraft {
  return { account, name, phoneNumber: decodeContact(phoneNumber), email: decodeContact(email), locale };
}

/** The part that goes into the calls that make and change accounts; contacts are encoded. */
export function accountBody({ name, phoneNumber, email, locale }: AccountDraft) {
  return {
    name: name.trim(),
    phoneNumber: encodeContact(phoneNumber.trim()),
    email: encodeContact(email.trim()),
    locale,
  };
}

type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

/** What is wrong with an account before anything is sent. */
export function accountFaults(
  { account, name, phoneNumber, email }: AccountDraft,
  t: AdminTexts,
): FieldErrors<AccountDraft> {
  const typed = account.trim();
  const faults: FieldErrors<AccountDraft> = {};
  if (typed.length < ACCOUNT_LENGTH.min || typed.length > ACCOUNT_LENGTH.max || !ACCOUNT_PATTERN.test(typed))
    faults.account = t('invalid.account');
  if (name.trim() === '') faults.name = t('invalid.required');
  if (!isPhoneNumber(phoneNumber)) faults.phoneNumber = t('invalid.phone');
  // The server knows more about addresses; this catches the slips.
  if (email.trim() !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())) faults.email = t('invalid.email');
  return faults;
}

/** Whether this can be a phone number; none is fine. */
export function isPhoneNumber(typed: string): boolean {
  return typed.trim() === '' || PHONE_PATTERN.test(typed.trim());
}
