// Statements about types, for the compiler to check.

/** Whether two types are one and the same, not just assignable to each other. */
export type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Does not compile unless it is true. */
export type Holds<Claim extends true> = Claim;
