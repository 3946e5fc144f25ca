import { certText, type CertAnswer, type CertChallenge, type CertPurpose } from '@rmeet/contract';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useId, useRef, useState, type FormEvent } from 'react';
import { sentenceOf } from '../../lib/api/index.ts';
import { agentSigners } from '../../lib/certificates/agent.ts';
import { CertificateFault, type CertSigner } from '../../lib/certificates/signer.ts';
import { loadChunk } from '../../lib/chunks.ts';
import { useTexts } from '../../lib/i18n/index.ts';
import { Button } from '../Button.tsx';
import { TextField } from '../TextField.tsx';
import './certificate.css';
import './texts.ts';

interface CertificateFormProps {
  purpose: CertPurpose;
  /** Whose challenges these are: another value asks again. */
  about: string;
  submit: string;
  /** Gets a challenge. */
  begin: () => Promise<CertChallenge>;
  /** Sends the signed challenge. */
  finish: (answer: CertAnswer) => Promise<void>;
}

/** How a challenge is answered: by a file, by the local agent, or by the certificate of the connection (null). */
type Way = { file: File; password: string } | { signer: CertSigner } | null;

async function signerOf(way: NonNullable<Way>): Promise<CertSigner> {
  if ('signer' in way) return way.signer;
  const { openPkcs12 } = await loadChunk(() => import('../../lib/certificates/pkcs12.ts'));
  return openPkcs12(new Uint8Array(await way.file.arrayBuffer()), way.password);
}

/** Answers a challenge by a certificate. */
function useAnswer({ purpose, begin, finish }: Pick<CertificateFormProps, 'purpose' | 'begin' | 'finish'>) {
  return useMutation({
    meta: { quiet: true },
    mutationFn: async (way: Way) => {
      // First, so that a wrong password uses up no challenge.
      const signer = way && (await signerOf(way));
      const { challenge, secret, tenantId, time } = await begin();
      // The page's own origin, not one that somebody else names.
      const text = certText({ origin: location.origin, purpose, tenantId, time, challenge });
      const proof = signer && (await signer.prove(text));
      await finish({ challenge, secret, ...(proof && { proof }) });
    },
  });
}

/** Signs by a certificate in a file, which stays in the page, in a local agent, or of the connection. */
export function CertificateForm({ purpose, about, submit, begin, finish }: CertificateFormProps) {
  const t = useTexts('certificate');
  const offered = useQuery({
    queryKey: ['certificate-ways', purpose, about],
    queryFn: begin,
    staleTime: Infinity,
    refetchOnWindowFocus: false,
    meta: { quiet: true },
  });
  const { passed, agent } = offered.data ?? { passed: null, agent: null };
  const answer = useAnswer({ purpose, begin, finish });
  const error = answer.error ?? offered.error;
  return (
    <div className="certificate">
      {passed !== null && (
        <Button
          kind="primary"
          large
          busy={answer.isPending && answer.variables === null}
          data-testid="certificate-passed"
          onClick={() => answer.mutate(null)}
        >
          {t('passed', { name: passed })}
        </Button>
      )}
      {agent !== null && <AgentChoice agent={agent} answer={answer} />}
      <FileForm submit={submit} isSecond={passed !== null} answer={answer} />
      {error !== null && (
        <p className="certificate-error" role="alert" data-testid="certificate-error">
          {error instanceof CertificateFault ? t(`fault.${error.fault}`) : (sentenceOf(error) ?? t('unreachable'))}
        </p>
      )}
    </div>
  );
}

type Answer = ReturnType<typeof useAnswer>;

/** The certificates of a local agent; nothing while none answers. */
function AgentChoice({ agent, answer }: { agent: string; answer: Answer }) {
  const t = useTexts('certificate');
  const titleId = useId();
  const { data = [] } = useQuery({
    queryKey: ['certificate-agent', agent],
    queryFn: () => agentSigners(agent),
    refetchInterval: 5_000,
    meta: { quiet: true },
  });
  if (data.length === 0) return null;
  const chosen = answer.isPending && answer.variables && 'signer' in answer.variables ? answer.variables.signer : null;
  return (
    <section className="certificate-agent" aria-labelledby={titleId}>
      <p id={titleId}>{t('agent')}</p>
      {data.map((signer) => (
        <Button
          key={signer.name}
          large
          busy={chosen?.name === signer.name}
          data-testid="certificate-agent"
          onClick={() => answer.mutate({ signer })}
        >
          {t('agentUse', { name: signer.name })}
        </Button>
      ))}
      {chosen && <p role="status">{t('agentPin')}</p>}
    </section>
  );
}

/** The button that chooses a file, and its name. */
function FileChoice({ file, noteId, onChoose }: { file: File | null; noteId: string; onChoose: (file: File) => void }) {
  const t = useTexts('certificate');
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="certificate-file">
      <input
        ref={input}
        type="file"
        accept=".p12,.pfx,application/x-pkcs12"
        className="visually-hidden"
        tabIndex={-1}
        aria-label={t('file')}
        data-testid="certificate-file"
        onChange={({ target }) => {
          const chosen = target.files?.[0];
          // So that the same file can be chosen again.
          target.value = '';
          if (chosen) onChoose(chosen);
        }}
      />
      <Button large aria-describedby={noteId} data-testid="certificate-choose" onClick={() => input.current?.click()}>
        {file ? t('other') : t('choose')}
      </Button>
      {file && <span className="certificate-name">{file.name}</span>}
    </div>
  );
}

/** Chooses a file and opens it by its password. */
function FileForm({ submit, isSecond, answer }: { submit: string; isSecond: boolean; answer: Answer }) {
  const t = useTexts('certificate');
  const [file, setFile] = useState<File | null>(null);
  const [password, setPassword] = useState('');
  const [isMissing, setIsMissing] = useState(false);
  const noteId = useId();
  const send = (event: FormEvent) => {
    event.preventDefault();
    setIsMissing(file === null);
    if (file) answer.mutate({ file, password });
  };
  const choose = (chosen: File) => {
    setFile(chosen);
    setIsMissing(false);
    answer.reset();
  };
  return (
    <form className="certificate-form" noValidate onSubmit={send} data-testid="certificate-form">
      {isSecond && <p className="certificate-note">{t('or')}</p>}
      <FileChoice file={file} noteId={noteId} onChoose={choose} />
      {isMissing && (
        <p className="text-field-error" role="alert">
          {t('fileMissing')}
        </p>
      )}
      <TextField
        label={t('password')}
        type="password"
        autoComplete="off"
        maxLength={200}
        value={password}
        data-testid="certificate-password"
        onChange={({ target }) => setPassword(target.value)}
      />
      <p id={noteId} className="certificate-note">
        {t('local')}
      </p>
      <Button
        type="submit"
        kind={isSecond ? 'plain' : 'primary'}
        large
        busy={Boolean(answer.isPending && answer.variables && 'file' in answer.variables)}
        data-testid="certificate-submit"
      >
        {submit}
      </Button>
    </form>
  );
}
