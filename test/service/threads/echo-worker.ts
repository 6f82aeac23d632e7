import { answerJobs } from '../../../src/service/threads/jobs.ts';

answerJobs(async () => ({ answer: async (job: number) => job }));
