/**
 * @file blocks.h
 * Functions of several numbers at once, the same to the last bit as one by one, but faster.
 */
#ifndef HCBR_I_BLOCKS_H
#define HCBR_I_BLOCKS_H

#define HCBR_I_LOG_BLOCK 8u

/** hcbr_i_log() of a block of numbers in their place, each from 2^-1022 on and finite (math.c). */
void hcbr_i_log_block(double x[HCBR_I_LOG_BLOCK]);

#endif
