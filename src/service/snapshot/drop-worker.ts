import { answerJobs } from '../threads/jobs.ts';

answerJobs(async () => ({
  async answer(pieces: readonly ArrayBuffer[]) {
    for (const piece of pieces) piece.transfer(0);
  },
}));
