import { useDeskPart } from '../context.ts';
import { diagnose } from '../model/diagnose.ts';
import { DiagnosisNotice } from '../components/DiagnosisNotice.tsx';
import { useT } from '../texts.tsx';

/** All terminals with media problems, the most severe first. */
export function QualityProblems() {
  const t = useT();
  const rows = useDeskPart((snapshot) => snapshot.rows);
  const reports = useDeskPart((snapshot) => snapshot.reports);
  const troubles = rows.flatMap((row) => {
    const report = row.cause === null ? undefined : reports.get(row.termId);
    const diagnosis = report === undefined ? null : diagnose(report);
    return diagnosis === null ? [] : [{ row, diagnosis }];
  });
  if (troubles.length === 0) return <p className="desk-nothing">{t('streams.fine')}</p>;
  return (
    <ul className="desk-troubles">
      {troubles
        .toSorted((a, b) => a.diagnosis.severity.localeCompare(b.diagnosis.severity))
        .map(({ row, diagnosis }) => (
          <li key={row.termId} data-testid={`desk-trouble-${row.termId}`}>
            <DiagnosisNotice row={row} diagnosis={diagnosis} />
          </li>
        ))}
    </ul>
  );
}
