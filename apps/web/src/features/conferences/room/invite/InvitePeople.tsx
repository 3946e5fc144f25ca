import { PHONE_PATTERN, type CommandRequestInput, type Invitee } from '@rmeet/contract';
import { useRef, useState } from 'react';
import type { Call } from '../../../../call/index.ts';
import { useInvitees } from '../../../../lib/invitees.ts';
import { Button } from '../../../../ui/Button.tsx';
import { Icon } from '../../../../ui/icons.tsx';
import { ErrorState, Loading } from '../../../../ui/states.tsx';
import { useDebouncedValue } from '../../../../ui/useDebouncedValue.ts';
import { useT } from '../../texts.ts';
import { Expected, ExpectedRow, PersonRow } from './Expected.tsx';
import { useInviting, useSending, type Inviting, type Sending } from './useInviting.ts';

type Address = Exclude<Extract<CommandRequestInput, { verb: 'invite' }>['people'][number], { kind: 'user' }>;

const MAIL = /^[^\s@,;]+@[^\s@,;]+\.[^\s@,;]{2,}$/;
/** Fewer digits are more likely part of an account. */
const SHORTEST_PHONE = 5;

/** A mail address or telephone number, if that is what was typed. */
function addressIn(typed: string): Address | null {
  if (MAIL.test(typed)) return { kind: 'mail', email: typed };
  return PHONE_PATTERN.test(typed) && typed.length >= SHORTEST_PHONE ? { kind: 'phone', phone: typed } : null;
}

/** A search for colleagues and addresses, and below it all expected people, with the state of their call. */
export function InvitePeople({ call }: { call: Call }) {
  const t = useT();
  const [typed, setTyped] = useState('');
  const inviting = useInviting(call);
  const sending = useSending(call);
  const field = useRef<HTMLInputElement>(null);
  if (inviting.isPending) return <Loading />;
  if (inviting.data === undefined) return <ErrorState retry={() => void inviting.refetch()} />;
  const parts = { inviting: inviting.data, sending };
  return (
    <div className="inviting">
      <label className="inviting-search">
        <Icon name="search" size={18} />
        <input
          type="search"
          value={typed}
          maxLength={100}
          autoComplete="off"
          placeholder={t('inviting.search')}
          aria-label={t('inviting.search')}
          ref={field}
          // The dialog opens before the list has arrived.
          autoFocus
          data-testid="inviting-search"
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {typed.trim() === '' ? (
        <Expected {...parts} />
      ) : (
        <Found
          {...parts}
          typed={typed.trim()}
          onInvited={(isDone) => {
            if (isDone) setTyped('');
            // The pressed button is gone; the next name can be typed at once.
            field.current?.focus();
            field.current?.select();
          }}
        />
      )}
    </div>
  );
}

interface InvitedProps {
  /** Somebody was invited; `isDone` if the text has served its purpose. */
  onInvited: (isDone: boolean) => void;
}

interface PartProps {
  inviting: Inviting;
  sending: Sending;
}

/** What was found for the text: an address to write to, and colleagues. */
function Found({ typed, inviting, sending, onInvited }: PartProps & { typed: string } & InvitedProps) {
  const t = useT();
  const keyword = useDebouncedValue(typed);
  const search = useInvitees(keyword);
  const address = addressIn(typed);
  const people = search.data ?? [];
  const expected = new Map(inviting.invitees.map((one) => [one.userId, one]));
  if (address !== null) return <AddressRow {...{ address, inviting, sending, onInvited }} />;
  if (search.isError && people.length === 0) return <ErrorState retry={() => void search.refetch()} />;
  const isSearching = search.isFetching || keyword !== typed;
  return (
    <ul className="inviting-list" aria-label={t('inviting.found')} data-testid="inviting-found">
      {people.map((person) => {
        const known = expected.get(person.userId);
        const row = { testId: `inviting-${person.account}`, detail: detailOf(person), sending };
        return known === undefined ? (
          <ColleagueRow key={person.userId} person={person} onInvited={() => onInvited(false)} {...row} />
        ) : (
          <ExpectedRow key={person.userId} invitee={known} hasMail {...row} />
        );
      })}
      {people.length === 0 && (
        <li className="inviting-none" role="status">
          {t(isSearching ? 'inviting.searching' : 'inviting.nobody')}
        </li>
      )}
    </ul>
  );
}

const detailOf = ({ department, account }: Invitee): string => [department, account].filter(Boolean).join(' · ');

interface ColleagueRowProps {
  person: Invitee;
  detail: string;
  testId: string;
  sending: Sending;
  onInvited: () => void;
}

/** A colleague who is not invited yet. */
function ColleagueRow({ person, detail, testId, sending: { busy, send }, onInvited }: ColleagueRowProps) {
  const t = useT();
  const { userId, name } = person;
  const invite = async (ring: boolean) => {
    if (await send(`${userId} ${ring}`, { verb: 'invite', people: [{ kind: 'user', userId }], ring })) onInvited();
  };
  return (
    <PersonRow name={name} detail={detail} testId={testId}>
      <Button
        kind="quiet"
        busy={busy === `${userId} false`}
        aria-label={t('inviting.inviteOf', { name })}
        data-testid="inviting-invite"
        onClick={() => void invite(false)}
      >
        {t('inviting.invite')}
      </Button>
      <Button
        kind="primary"
        busy={busy === `${userId} true`}
        aria-label={t('inviting.callOf', { name })}
        data-testid="inviting-call"
        onClick={() => void invite(true)}
      >
        {t('inviting.call')}
      </Button>
    </PersonRow>
  );
}

interface AddressRowProps extends PartProps, InvitedProps {
  address: Address;
}

/** Somebody outside: the invitation goes out by mail or text message, or the row says why it cannot. */
function AddressRow({ address, inviting, sending: { busy, send }, onInvited }: AddressRowProps) {
  const t = useT();
  const isMail = address.kind === 'mail';
  const name = isMail ? address.email : address.phone;
  const why = isMail ? inviting.mail : inviting.sms;
  const channel = isMail ? 'mail' : 'sms';
  const invite = async () => {
    if (await send(name, { verb: 'invite', people: [address] })) onInvited(true);
  };
  return (
    <ul className="inviting-list" aria-label={t('inviting.found')}>
      <PersonRow
        name={name}
        detail={why === null ? t('inviting.outside') : t(`inviting.${channel}Blocked.${why}`)}
        testId="inviting-address"
      >
        {why === null && (
          <Button kind="primary" busy={busy === name} data-testid="inviting-send" onClick={() => void invite()}>
            {t(`inviting.${channel}`)}
          </Button>
        )}
      </PersonRow>
    </ul>
  );
}
