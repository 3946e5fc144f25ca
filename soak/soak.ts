/** A long run: prints what it sees, answers whether all was well. */
export type Soak = (options: {
  count?: number;
  minutes?: number;
  seed?: number;
  only?: string;
  postgres?: boolean;
}) => Promise<{ passed: boolean; verdict: string }>;
