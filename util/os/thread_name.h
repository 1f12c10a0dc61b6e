/*
 * thread_name.h: names of threads for profilers, debuggers and ps (Linux; elsewhere
 * threads have no names).
 */
#ifndef UTIL_OS_THREAD_NAME_H
#define UTIL_OS_THREAD_NAME_H

/*
 * Names the calling thread ROLE-TID. A thread that it creates inherits the name, but has
 * another TID; so a thread is of that role only if its name ends with its own TID. The
 * role has at most seven characters.
 */
void thread_name_set(const char *role);

#endif
