import { type Answer, areFarApart, hasMoved } from '../../../sources/record/answers.ts';

/** Answers that one sweep has of a URL beside another one, further apart than a sweep takes: one of each URL holds. */
export class FarApart {
  answerCount = 0;
  /** Redirects that a page of an earlier time holds over. */
  moveCount = 0;

  note(answer: Answer, standing: Answer | null): void {
    if (standing === null || !areFarApart(answer, standing)) return;
    this.answerCount++;
    if (hasMoved(answer, standing)) this.moveCount++;
  }
}
