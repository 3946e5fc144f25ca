import { ACCOUNT_PATTERN, decodeContact, encodeContact, PHONE_PATTERN, type Locale } from '@rmeet/contract';
import type { useTexts } from '../../lib/i18n/index.ts';
import type { FieldErrors } from './useForm.ts';

/** The fields shared by users and operators, as in a form. */
export interface AccountDraft {
  account: string;
  name: string;
  /** Decoded; empty if there is none. */
  phoneNumber: string;
  email: string;
  locale: Locale;
}

const ACCOUNT_LENGTH = { min: 2, max: 64 };

export const emptyAccount: AccountDraft = { account: '', name: '', phoneNumber: '', email: '', locale: 'zh' };

export function accountDraftOf({ account, name, phoneNumber, email, locale }: AccountDraft): AccountDraft {
  return { account, name, phoneNumber: decodeContact(phoneNumber), email: decodeContact(email), locale };
}

/** The part of the request body to create or change an account; contacts are encoded. */
export function accountBody({ name, phoneNumber, email, locale }: AccountDraft) {
  return {
    name: name.trim(),
    phoneNumber: encodeContact(phoneNumber.trim()),
    email: encodeContact(email.trim()),
    locale,
  };
}

type AdminTexts = ReturnType<typeof useTexts<'admin'>>;

/** The errors of an account found before anything is sent. */
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
  // The server validates addresses more strictly; this catches typing errors.
  if (email.trim() !== '' && !/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email.trim())) faults.email = t('invalid.email');
  return faults;
}

/** Whether this can be a phone number; an empty one is valid. */
export function isPhoneNumber(typed: string): boolean {
  return typed.trim() === '' || PHONE_PATTERN.test(typed.trim());
}
